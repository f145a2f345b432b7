#!lua name=cheeseboard_2
-- A changed function gets a new name, so that nodes of two releases can share a store while one replaces the other.

-- Whether a log ends with the entry that has this id and this SHA-1; both are '' for a log without entries.
local function ends_with(log, id, sha1)
  local last = redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)[1]
  if not last then return id == '' end
  return last[1] == id and redis.sha1hex(last[2][2]) == sha1
end

-- Append a move to a table's log if the last entry there is the one that the node believes in.
-- KEYS log; ARGV id and SHA-1 of that entry, id of the move, the move. Returns the id of the move, or 0 if it is not.
local function append_move(keys, args)
  if not ends_with(keys[1], args[1], args[2]) then return 0 end
  return redis.call('XADD', keys[1], args[3], 'e', args[4])
end

-- Remove the last entries of a log, which were appended behind an entry that the store had lost.
-- The log is written anew, because a stream never takes an id again that it has had. Rare, so its cost does not matter.
-- KEYS log; ARGV id of the last entry that stays, id of the last entry to remove
local function remove_strays(keys, args)
  local last = redis.call('XREVRANGE', keys[1], '+', '-', 'COUNT', 1)[1]
  if not last or last[1] ~= args[2] then return end
  local entries = redis.call('XRANGE', keys[1], '-', args[1])
  redis.call('DEL', keys[1])
  for _, entry in ipairs(entries) do redis.call('XADD', keys[1], entry[1], unpack(entry[2])) end
end

-- Append entries to a table's log under the same condition, then set the deadline and publish them.
-- The channel has the hash tag of the keys, but is none: as one it would make a slot that is being migrated refuse the call.
-- KEYS log, deadlines; ARGV table, id and SHA-1 of the last entry, deadline in ms, channel or '' to publish nothing,
-- then an id and an entry for each. Returns the id of the last entry appended, or 0.
local function append_entries(keys, args)
  if not ends_with(keys[1], args[2], args[3]) then return 0 end
  local id
  for i = 6, #args, 2 do
    id = redis.call('XADD', keys[1], args[i], 'e', args[i + 1])
  end
  redis.call('ZADD', keys[2], args[4], args[1])
  if args[5] ~= '' then
    for i = 6, #args, 2 do
      redis.call('SPUBLISH', args[5], string.match(args[i], '^%d+') .. ' ' .. args[i + 1])
    end
  end
  return id
end

-- Set the deadline of a table unless its log has grown: a later entry has set its own.
-- KEYS log, deadlines; ARGV number of the last entry, table, deadline in ms
local function postpone_deadline(keys, args)
  if redis.call('XLEN', keys[1]) == tonumber(args[1]) then redis.call('ZADD', keys[2], args[3], args[2]) end
end

-- Return the tables whose deadline has passed, and hide them from other nodes for a while.
-- KEYS deadlines of one shard, or of several where one server has all slots
-- ARGV now in ms, the most to return of a shard, for how many ms they are hidden
local function claim_due(keys, args)
  local claimed = {}
  for _, deadlines in ipairs(keys) do
    for _, name in ipairs(redis.call('ZRANGE', deadlines, '-inf', args[1], 'BYSCORE', 'LIMIT', 0, args[2])) do
      redis.call('ZADD', deadlines, args[1] + args[3], name)
      claimed[#claimed + 1] = name
    end
  end
  return claimed
end

-- Report who is at a table on one node, to the store and to the other nodes. Returns the number of the table's entries.
-- KEYS reports about the table, its channel, its log; ARGV node, report, seconds to keep the reports, kind of message
local function report_presence(keys, args)
  redis.call('HSET', keys[1], args[1], args[2])
  redis.call('EXPIRE', keys[1], args[3])
  redis.call('SPUBLISH', keys[2], args[4] .. ' ' .. args[2])
  return redis.call('XLEN', keys[3])
end

-- Replace the waiting practice table by another one, unless somebody else has replaced it. Returns the one that waits now.
-- KEYS pool; ARGV the table that was found there, the table to put there instead
local function replace_practice_table(keys, args)
  local waiting = redis.call('GET', keys[1])
  if waiting and waiting ~= args[1] then return waiting end
  redis.call('SET', keys[1], args[2], 'EX', 3600)
  return args[2]
end

redis.register_function('append_move', append_move)
redis.register_function('append_entries', append_entries)
redis.register_function('remove_strays', remove_strays)
redis.register_function('postpone_deadline', postpone_deadline)
redis.register_function('claim_due', claim_due)
redis.register_function('report_presence', report_presence)
redis.register_function('replace_practice_table', replace_practice_table)
