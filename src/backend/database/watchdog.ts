import type { Bound } from './bounds'
import type { StatementState } from './statement-state'

const CHECK_MS = 50
/** At most this much time counts between two checks: if more has passed, the process was suspended. */
const STEP_MAX_MS = 250

/**
 * On a busy machine, a call may hardly run in a second. It exceeds a limit once the process has also used that much processor
 * time, and in any case after five times the limit.
 */
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
  const call = startSpan()
  let statement = startSpan()
  let sequence = state.sequence()

  const isTimedOut = () => {
    const now = performance.now()
    const step = Math.min(now - checkedAt, STEP_MAX_MS)
    checkedAt = now
    call.ms += step
    if (exceeds(call, bound.callMs)) return true
    if (sequence === state.sequence()) {
      statement.ms += step
    } else {
      sequence = state.sequence()
      statement = startSpan()
    }
    const isInStatement = sequence % 2 !== 0
    return isInStatement && exceeds(statement, bound.statementMs)
  }

  const timer = setInterval(() => {
    if (!isTimedOut()) return
    clearInterval(timer)
    onTimeout()
  }, CHECK_MS)
  return () => clearInterval(timer)
}

interface Span {
  ms: number
  cpuAtStart: number
}

const startSpan = (): Span => ({ ms: 0, cpuAtStart: cpuMs() })

const exceeds = ({ ms, cpuAtStart }: Span, limitMs: number): boolean =>
  ms >= limitMs && (ms >= limitMs * PATIENCE || cpuMs() - cpuAtStart >= limitMs)

/** Processor time of all threads of this process, in milliseconds. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
