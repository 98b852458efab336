const CHECK_MS = 50
/** At most this much time counts between two checks: if more has passed, the process was suspended. */
const STEP_MAX_MS = 250

/** A call ends in any case after its limit times this, however little processor time it has had. */
const PATIENCE = 5

/**
 * Watches a call until the returned function is called. Calls `onTimeout` once, when the call has taken its limit of time and the process
 * as much processor time: on a busy machine a call may hardly run in a second.
 */
export function watchCall(limitMs: number, onTimeout: () => void): () => void {
  const cpuAtStart = process.cpuUsage()
  let ms = 0
  let checkedAt = performance.now()

  const timer = setInterval(() => {
    const now = performance.now()
    ms += Math.min(now - checkedAt, STEP_MAX_MS)
    checkedAt = now
    const { user, system } = process.cpuUsage(cpuAtStart)
    const hasRun = (user + system) / 1_000 >= limitMs
    if (ms < (hasRun ? limitMs : limitMs * PATIENCE)) return
    clearInterval(timer)
    onTimeout()
  }, CHECK_MS)
  return () => clearInterval(timer)
}
