import type { Bound } from './bounds'
import type { StatementState } from './statement-state'

/** How often a running call is checked, in milliseconds. */
const CHECK_MS = 50
/** The most time that counts between two checks: if more has passed, the process was suspended. */
const STEP_MAX_MS = 250

/**
 * On a busy machine a second may pass in which a statement hardly ran. It is over its bound once the process has used
 * half of the bound in processor time, and in any case after five times the bound.
 */
const CPU_SHARE = 0.5
const PATIENCE = 5

export interface WatchdogOptions {
  state: Pick<StatementState, 'sequence'>
  bound: Pick<Bound, 'statementMs' | 'callMs'>
  /** Called once, when the call or a statement in it has taken too long. */
  onOver: () => void
}

/** Watches one call to the database thread until the returned function is called. */
export function watchCall({ state, bound, onOver }: WatchdogOptions): () => void {
  let checkedAt = performance.now()
  let callMs = 0
  let statement = { sequence: state.sequence(), ms: 0, cpuAtBegin: cpuMs() }

  const isOver = () => {
    const now = performance.now()
    const step = Math.min(now - checkedAt, STEP_MAX_MS)
    checkedAt = now
    callMs += step
    if (callMs >= bound.callMs) return true
    const sequence = state.sequence()
    if (sequence !== statement.sequence) statement = { sequence, ms: 0, cpuAtBegin: cpuMs() }
    else statement.ms += step
    const isInStatement = sequence % 2 !== 0
    if (!isInStatement || statement.ms < bound.statementMs) return false
    const cpu = cpuMs() - statement.cpuAtBegin
    return cpu >= bound.statementMs * CPU_SHARE || statement.ms >= bound.statementMs * PATIENCE
  }

  const timer = setInterval(() => {
    if (!isOver()) return
    clearInterval(timer)
    onOver()
  }, CHECK_MS)
  return () => clearInterval(timer)
}

/** Processor time of all threads of this process, in milliseconds. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
