"""The parts that answer requests on one node. Read the constructor from top to bottom: each part uses only parts above
it."""

from __future__ import annotations

from server.requests.accounts import Accounts
from server.requests.advice import AdviceRequests
from server.requests.blocking import BlockList, BlockRequests
from server.requests.bot_directory import BotDirectory
from server.requests.bot_invitations import BotInvitations
from server.requests.bot_tokens import BotTokens
from server.requests.bots import BotRequests
from server.requests.connected_bots import ConnectedBots
from server.requests.connected_clients import ConnectedClients
from server.requests.connected_users import ConnectedUsers
from server.requests.handlers import RequestHandlers
from server.requests.hello import HelloRequests, ServiceFacts
from server.requests.hosting import HostRequests
from server.requests.identities import Identities
from server.requests.limits.at_once import advice_at_once, replays_at_once
from server.requests.limits.client_addresses import ClientAddresses
from server.requests.limits.limiter import Limiter
from server.requests.limits.limits import Limits
from server.requests.limits.node_rates import NodeRates
from server.requests.limits.stale_places import StalePlaces
from server.requests.names import NameRequests
from server.requests.notes import Notes
from server.requests.opening import OpeningRequests
from server.requests.own_account import OwnAccountRequests
from server.requests.playing_on import PlayOnRequests
from server.requests.practice import PracticePool
from server.requests.remarks import RemarkRequests
from server.requests.replay_reader import ReplayReader
from server.requests.reports import ReportRequests, Reports
from server.requests.sanctions import Sanctions
from server.requests.seating import SeatingRequests
from server.requests.table_opener import TableOpener
from server.requests.tables import TableRequests
from server.requests.tokens import TokenRequests
from server.requests.viewed_files import ViewFileRequests
from server.store.durability import Durability
from server.store.layer import StoreLayer
from server.tables.layer import TableLayer


class RequestLayer:
    """Who is connected to this node, and who answers what they ask for."""

    def __init__(self, shared: StoreLayer, at: TableLayer, limits: Limits, durability: Durability) -> None:
        store, pubsub, quotas = shared.store, shared.pubsub, shared.quotas
        rooms, archive, clock = at.rooms, at.archive, at.clock
        rates = NodeRates(limits)
        limiter = Limiter(limits, rates, quotas, StalePlaces(store, rooms, clock), clock)
        self.client_addresses = ClientAddresses(store, limits, rates, clock)
        self.accounts = Accounts(store)
        bot_tokens = BotTokens(store, self.accounts, limits["bots"])
        self.users = ConnectedUsers(store, pubsub)
        invitations = BotInvitations(store, quotas, rooms, clock)
        self.bots = ConnectedBots(pubsub, self.accounts, invitations.remind)
        self.directory = BotDirectory(store, self.accounts, self.bots, invitations, clock)
        clients = ConnectedClients(self.users, self.directory)
        self.blocks = BlockList(store, self.users, limits)

        identities = Identities(self.accounts, self.blocks, limiter)
        facts = ServiceFacts(limits, clock, durability)
        tables = TableRequests(store, rooms, at.lobby.feed, at.presence, limiter, clock)
        opener = TableOpener(store, shared.memory, rooms, limiter, clock)
        names = NameRequests(self.accounts, self.users, rooms, clock)
        seating = SeatingRequests(quotas, rooms, self.bots, names, limiter, clock)
        opening = OpeningRequests(store, opener, self.bots, seating, clock)
        bots = BotRequests(self.directory, invitations, rooms, limiter, clock)
        self.own_account = OwnAccountRequests(store, self.accounts, bot_tokens, self.users)
        self.sanctions = Sanctions(store, pubsub, self.users, clock, tables)
        self.replay_reader = reader = ReplayReader(archive, at.slices, replays_at_once(limits))
        others = (
            seating,
            opening,
            bots,
            TokenRequests(shared.memory, self.accounts, bot_tokens, limiter, clock),
            HelloRequests(identities, clients, self.sanctions, self.client_addresses, facts),
            self.own_account,
            names,
            HostRequests(rooms, self.bots, limiter, clock),
            PlayOnRequests(reader, opener, self.bots),
            RemarkRequests(shared.memory, reader, at.remarks, self.sanctions, limiter, clock),
            ViewFileRequests(reader, limiter),
            PracticePool(store, rooms, opener, seating, clock),
            BlockRequests(store, self.blocks, rooms, clock, seating, opening, bots),
            self.sanctions,
            ReportRequests(Reports(store), limiter, clock),
            AdviceRequests(store, limiter, advice_at_once(limits), clock),
        )
        kept_note = Notes(limiter, self.sanctions).kept
        self.handlers = RequestHandlers(rooms, clock, limiter, clients, tables, kept_note, others)
