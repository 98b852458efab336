import type { IpcMain } from 'electron'
import {
  type BridgeAnswers,
  type BridgeArguments,
  type BridgeChannel,
  type BridgeReply,
  bridgeCalls,
  type RateLimit,
} from '#/shared/bridge'
import { BridgeError, type BridgeErrorCode } from '#/shared/bridge-error'
import type { Log } from './log'
import { createRateLimiter } from './rate-limit'
import { texts } from './texts'

type Handler<C extends BridgeChannel> = (
  ...args: BridgeArguments<C>
) => BridgeAnswers[C] | Promise<BridgeAnswers[C]>

/** One handler for every channel of `bridgeCalls`: an object that lacks one does not compile. */
export type BridgeHandlers = { [C in BridgeChannel]: Handler<C> }

/** The handlers of one concern, e.g. `HandlersOf<'session'>` for every `session.…` channel. */
export type HandlersOf<Concern extends string> = Pick<
  BridgeHandlers,
  Extract<BridgeChannel, `${Concern}.${string}`>
>

/** What is asked of a frame before its call is listened to. */
export interface CallingFrame {
  readonly parent: unknown
  readonly origin: string
}

export interface BridgeRules {
  /** Whether pages of this origin are ours. */
  isOrigin(origin: string): boolean
  /** Milliseconds, from any fixed point. */
  now(): number
  log: Pick<Log, 'warn' | 'error'>
}

function failure(code: BridgeErrorCode, message: string): BridgeReply<never> {
  return { ok: false, error: { code, message } }
}

/** Parses what the renderer sent, calls the handler and makes errors data; nothing of an unexpected one leaves main. */
async function answer<C extends BridgeChannel>(
  channel: C,
  handler: Handler<C>,
  args: readonly unknown[],
  log: BridgeRules['log'],
): Promise<BridgeReply<BridgeAnswers[C]>> {
  const parsed = bridgeCalls[channel].args.safeParse(args)
  if (!parsed.success) {
    log.warn(`${channel}: wrong arguments`, parsed.error.issues.map((issue) => issue.code).join(', '))
    return failure('invalid', texts.bridge.invalid)
  }
  try {
    // The schema found by this channel gives this channel's arguments; TypeScript does not follow that correlation.
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
  let isTold = false
  ipc.handle(channel, (event, ...args: unknown[]) => {
    // First and synchronously: after a navigation the frame is gone or another page's.
    const frame: CallingFrame | null = event.senderFrame
    if (frame === null || frame.parent !== null || !isOrigin(frame.origin)) {
      log.warn(`${channel}: call refused`, frame === null ? 'frame gone' : frame.origin)
      return failure('refused', texts.bridge.refused)
    }
    if (limiter?.take() === false) {
      // Once: the log is written to a file as well.
      if (!isTold) log.warn(`${channel}: called too often`)
      isTold = true
      return failure('too-often', texts.bridge.tooOften)
    }
    isTold = false
    return answer(channel, handler, args, log)
  })
}

/** Answers every channel of the bridge: only to our own main frame, not too often, only arguments that fit the schema. */
export function registerHandlers(
  ipc: Pick<IpcMain, 'handle'>,
  handlers: BridgeHandlers,
  rules: BridgeRules,
): void {
  for (const channel of Object.keys(bridgeCalls) as BridgeChannel[]) {
    handle(ipc, channel, handlers[channel] as Handler<typeof channel>, rules)
  }
}
