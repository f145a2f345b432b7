#!lua name=cheeseboard_heartbeats_1
-- The heartbeats of the nodes, and the times without one. A changed function gets a new name, as in functions.lua.

local KEPT_MS = 3600000 -- a fault that ended longer ago matters to no player's clock
local MOST = 400 -- faults in each list

local function add_fault(list, begin, ending, node)
  local fault = string.format('%.0f %.0f', begin, ending)
  if node then fault = fault .. ' ' .. node end
  redis.call('RPUSH', list, fault)
  redis.call('LTRIM', list, -MOST, -1)
end

local function faults_since(list, time)
  local all = redis.call('LRANGE', list, 0, -1)
  local kept = {}
  for _, fault in ipairs(all) do
    if tonumber(string.match(fault, '^%d+ (%d+)')) > time then kept[#kept + 1] = fault end
  end
  if #kept < #all then redis.call('LTRIM', list, #all - #kept, -1) end
  return kept
end

-- Record a heartbeat of a node. If the last one of any node is too long ago that is an outage of the service, and if the
-- last one of this node is, a fault of the node. A node without a heartbeat for very long is forgotten.
-- KEYS last heartbeat, outages, hash of the nodes' heartbeats, faults of nodes
-- ARGV now in ms, ms between heartbeats that count as a fault, the node, ms after which a node is forgotten
-- Returns the outages ("begin end"), the faults ("begin end node"), the heartbeats (node, ms, node, ms, ...) and the time
-- of the store in ms.
local function record_node_heartbeat(keys, args)
  local now, gap, node, gone = tonumber(args[1]), tonumber(args[2]), args[3], tonumber(args[4])
  local last = tonumber(redis.call('GET', keys[1]) or now)
  if now - last > gap then add_fault(keys[2], last, now) end
  redis.call('SET', keys[1], string.format('%.0f', math.max(last, now)))
  local latest = now
  local beats = redis.call('HGETALL', keys[3])
  for i = 1, #beats, 2 do
    local name, at = beats[i], tonumber(beats[i + 1])
    if name == node then
      if now - at > gap then add_fault(keys[4], at, now, name) end
      latest = math.max(at, now)
    elseif now - at > gone then
      add_fault(keys[4], at, at + gone, name)
      redis.call('HDEL', keys[3], name)
    end
  end
  redis.call('HSET', keys[3], node, string.format('%.0f', latest))
  local since = now - KEPT_MS
  local time = redis.call('TIME')
  local store_ms = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
  return {faults_since(keys[2], since), faults_since(keys[4], since), redis.call('HGETALL', keys[3]), store_ms}
end

redis.register_function('record_node_heartbeat', record_node_heartbeat)
