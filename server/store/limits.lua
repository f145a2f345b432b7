#!lua name=cheeseboard_limits_1
-- A library of its own: loading a library again removes the functions that its new text lacks, and nodes of an
-- older release load functions.lua without these. A changed function gets a new name.

-- Admit a request of one user or address: take from its rates and claim a place in a set, or do nothing at all.
-- A rate is kept by the generic cell rate algorithm: its key holds the time in ms at which nothing of the rate is taken any
-- more, and expires then. With the amount -1 a rate gets back what was taken, and nothing is refused.
-- A claim counts as a member of the set until it is released, at most for the given time.
-- KEYS [set, its claims,] one key for each rate
-- ARGV now in ms, amount, member or '', most members, ms that a claim lasts, then number and window in ms of each rate
-- Returns {0, 1} if a place was claimed, {0, 0} if none was needed, {-1, 0} if the set is full, {-2, 0} if another request
-- has claimed a place for the member, and {ms, i} if there is not enough of rate i for so long.
local function admit(keys, args)
  local now, amount, member = tonumber(args[1]), tonumber(args[2]), args[3]
  local rates, claim = 1, 0
  if member ~= '' then
    rates = 3
    redis.call('ZREMRANGEBYSCORE', keys[2], '-inf', now)
    if redis.call('SISMEMBER', keys[1], member) == 0 then
      if redis.call('ZSCORE', keys[2], member) then return {-2, 0} end
      local taken = redis.call('SCARD', keys[1])
      for _, other in ipairs(redis.call('ZRANGE', keys[2], 0, -1)) do
        if redis.call('SISMEMBER', keys[1], other) == 0 then taken = taken + 1 end
      end
      if taken >= tonumber(args[4]) then return {-1, 0} end
      claim = 1
    end
  end
  local ends = {}
  for i = rates, #keys do
    local number, window = tonumber(args[6 + 2 * (i - rates)]), tonumber(args[7 + 2 * (i - rates)])
    if number < amount then return {window, i - rates + 1} end
    local taken = math.max(now, tonumber(redis.call('GET', keys[i]) or 0)) + amount * window / number
    if taken > now + window + 0.001 and amount > 0 then
      return {math.ceil(taken - now - window), i - rates + 1}
    end
    ends[i] = taken
  end
  for i, taken in pairs(ends) do
    if taken > now then
      redis.call('SET', keys[i], string.format('%.3f', taken), 'PX', math.ceil(taken - now))
    else
      redis.call('DEL', keys[i])
    end
  end
  if claim == 1 then
    redis.call('ZADD', keys[2], now + tonumber(args[5]), member)
    if redis.call('PTTL', keys[2]) < tonumber(args[5]) then redis.call('PEXPIRE', keys[2], args[5]) end
  end
  return {0, claim}
end

redis.register_function('admit', admit)
