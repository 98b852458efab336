import type { Bound } from './bounds'
import type { StatementState } from './statement-state'

const CHECK_MS = 50
/** At most this much time counts between two checks: if more has passed, the process was suspended. */
const STEP_MAX_MS = 250

/**
 * On a busy machine, a statement may hardly run in a second. It exceeds its bound once the process has also used half of the
 * bound in processor time, and in any case after five times the bound.
 */
const CPU_SHARE = 0.5
const PATIENCE = 5

export interface WatchdogOptions {
  state: Pick<StatementState, 'sequence'>
  bound: Pick<Bound, 'statementMs' | 'callMs'>
  /** Called once, when the call or a statement in it has taken too long. */
  onTimeout: () => void
}

/** Watches a call to the database thread until the returned function is called. */
export function watchCall({ state, bound, onTimeout }: WatchdogOptions): () => void {
  let checkedAt = performance.now()
  let callMs = 0
  let statement = { sequence: state.sequence(), ms: 0, cpuAtStart: cpuMs() }

  const isTimedOut = () => {
    const now = performance.now()
    const step = Math.min(now - checkedAt, STEP_MAX_MS)
    checkedAt = now
    callMs += step
    if (callMs >= bound.callMs) return true
    const sequence = state.sequence()
    if (sequence !== statement.sequence) statement = { sequence, ms: 0, cpuAtStart: cpuMs() }
    else statement.ms += step
    const isInStatement = sequence % 2 !== 0
    if (!isInStatement || statement.ms < bound.statementMs) return false
    const cpu = cpuMs() - statement.cpuAtStart
    return cpu >= bound.statementMs * CPU_SHARE || statement.ms >= bound.statementMs * PATIENCE
  }

  const timer = setInterval(() => {
    if (!isTimedOut()) return
    clearInterval(timer)
    onTimeout()
  }, CHECK_MS)
  return () => clearInterval(timer)
}

/** Processor time of all threads of this process, in milliseconds. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
