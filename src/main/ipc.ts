import type { IpcMain } from 'electron'
import {
  type BridgeArguments,
  type BridgeChannel,
  type BridgeReply,
  type BridgeResults,
  bridgeCalls,
  type RateLimit,
} from '#/shared/bridge'
import { BridgeError, type BridgeErrorCode } from '#/shared/bridge-error'
import type { Log } from './log'
import { createRateLimiter } from './rate-limit'
import { texts } from './texts'

type Handler<C extends BridgeChannel> = (
  ...args: BridgeArguments<C>
) => BridgeResults[C] | Promise<BridgeResults[C]>

/** One handler per channel of `bridgeCalls`. A missing one does not compile. */
export type BridgeHandlers = { [C in BridgeChannel]: Handler<C> }

/** The handlers of one group, e.g. `HandlersOf<'session'>` for every `session.…` channel. */
export type HandlersOf<Group extends string> = Pick<
  BridgeHandlers,
  Extract<BridgeChannel, `${Group}.${string}`>
>

/** The properties of the calling frame that are checked. */
export interface CallingFrame {
  readonly parent: unknown
  readonly origin: string
}

export interface BridgeRules {
  isOrigin(origin: string): boolean
  /** Milliseconds from any fixed point. */
  now(): number
  log: Pick<Log, 'warn' | 'error'>
}

function failure(code: BridgeErrorCode, message: string): BridgeReply<never> {
  return { ok: false, error: { code, message } }
}

/**
 * Validates the arguments, calls the handler and returns errors as data. Details of unexpected errors stay in the main
 * process.
 */
async function invoke<C extends BridgeChannel>(
  channel: C,
  handler: Handler<C>,
  args: readonly unknown[],
  log: BridgeRules['log'],
): Promise<BridgeReply<BridgeResults[C]>> {
  const parsed = bridgeCalls[channel].args.safeParse(args)
  if (!parsed.success) {
    log.warn(`${channel}: wrong arguments`, parsed.error.issues.map((issue) => issue.code).join(', '))
    return failure('invalid', texts.bridge.invalid)
  }
  try {
    // TypeScript cannot see that this channel's schema yields this channel's arguments.
    return { ok: true, value: await handler(...(parsed.data as BridgeArguments<C>)) }
  } catch (cause) {
    if (cause instanceof BridgeError) return failure(cause.code, cause.text)
    log.error(`${channel} failed`, cause)
    return failure('failed', texts.bridge.failed)
  }
}

function handle<C extends BridgeChannel>(
  ipc: Pick<IpcMain, 'handle'>,
  channel: C,
  handler: Handler<C>,
  { isOrigin, now, log }: BridgeRules,
): void {
  const limit: RateLimit | null = bridgeCalls[channel].limit
  const limiter = limit === null ? null : createRateLimiter(limit, now)
  let wasLogged = false
  ipc.handle(channel, (event, ...args: unknown[]) => {
    // Check before any await: after a navigation the frame is gone or belongs to another page.
    const frame: CallingFrame | null = event.senderFrame
    if (frame === null || frame.parent !== null || !isOrigin(frame.origin)) {
      log.warn(`${channel}: call refused`, frame === null ? 'frame gone' : frame.origin)
      return failure('refused', texts.bridge.refused)
    }
    if (limiter?.take() === false) {
      // Log it once per burst, because each line is written to disk.
      if (!wasLogged) log.warn(`${channel}: called too often`)
      wasLogged = true
      return failure('too-often', texts.bridge.tooOften)
    }
    wasLogged = false
    return invoke(channel, handler, args, log)
  })
}

/** Registers a handler for every channel. Each call is checked for frame, origin, rate and arguments. */
export function registerHandlers(
  ipc: Pick<IpcMain, 'handle'>,
  handlers: BridgeHandlers,
  rules: BridgeRules,
): void {
  for (const channel of Object.keys(bridgeCalls) as BridgeChannel[]) {
    handle(ipc, channel, handlers[channel] as Handler<typeof channel>, rules)
  }
}
