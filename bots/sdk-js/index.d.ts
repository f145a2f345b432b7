/** What a seat may know; docs/views.md describes the views of each game. */
export type View = Record<string, any>;
/** What happened; docs/views.md describes the events of each game. */
export type GameEvent = { type: string } & Record<string, any>;
/** A filled offer. */
export type Move = { type: string } & Record<string, unknown>;
export type Blank = { least: number; most: number } | { of: unknown[] } | { of: unknown[]; least: number; most: number };
/** A move with blanks (P30 in docs/protocol.md). */
export interface Offer {
  move: string;
  fill: Record<string, Blank | unknown>;
}
/** A `table` message. */
export interface TableInfo {
  table: string;
  game: string;
  status: "open" | "running" | "ended" | "closed";
  options: Record<string, unknown>;
  you?: number;
  result?: { places: number[]; rule: string; points?: number[] };
  [field: string]: unknown;
}

export interface Turn {
  view: View;
  offers: Offer[];
  game: string;
  table: string;
  seat: number;
  options: Record<string, unknown>;
  /** The number of the ask. */
  ask: number;
  /** What this seat saw since `choose` was last called for this table. */
  events: GameEvent[];
  /** False if events may be missing. */
  complete: boolean;
  /** The time left for the decision, null for no limit. */
  leftMs: number | null;
}

/** A move, or a move with a note that becomes public in the replay. */
export type Chosen = Move | [Move, string];
export type Choose = (turn: Turn) => Chosen | Promise<Chosen>;

export interface Invitation {
  table: string;
  game: string;
  by: string;
}

export interface RunOptions {
  /** Sit down at the table with this code; `run` ends with the table. */
  join?: string;
  /** Open a table of this game against house bots; `run` ends with the table. */
  game?: string;
  /** Play this game in the practice pool, `times` tables or for ever. */
  practice?: string;
  times?: number;
  /** The number of seats of tables that `game` and `practice` open. */
  seats?: number;
  /** With none of the above: the games for which the bot accepts invitations (all), and at how many tables at once (1). */
  games?: string[];
  tables?: number;
  accept?: (invitation: Invitation) => boolean;
  log?: (...words: unknown[]) => void;
}

/** Play until the plan is done; returns the last `table` message of each finished table. Throws Refused for a bad token. */
export function run(choose: Choose, url: string, token: string, options?: RunOptions): Promise<TableInfo[]>;

/** The move of an offer with its blanks filled at random. */
export function fill(offer: Offer, random?: () => number): Move;
/** One item of a list, at random. */
export function pick<T>(list: readonly T[], random?: () => number): T;
/** The address of the websocket, from the service's address. */
export function address(url: string): string;

/** The server answered a request with an error. */
export class Refused extends Error {
  readonly error: Record<string, any>;
  readonly code: string;
  readonly pauseMs: number;
}

/** One connection for one token, for programs that need more than `run`. */
export class Bot {
  constructor(
    url: string,
    token: string,
    choose: Choose,
    options?: { plays?: { games?: string[]; tables?: number } | null; accept?: RunOptions["accept"]; log?: RunOptions["log"] },
  );
  readonly welcome: Record<string, any>;
  readonly welcomed: Promise<void>;
  onEnd: (info: TableInfo) => void;
  run(): Promise<void>;
  stop(): void;
  request(type: string, fields?: Record<string, unknown>): Promise<Record<string, any>>;
  insist(type: string, fields?: Record<string, unknown>): Promise<Record<string, any>>;
  playAt(table: string): Promise<void>;
}
