import type { IpcMain, IpcMainInvokeEvent } from 'electron'
import { knowsOnly, StandinEmitter, strict, type Unknown } from './life'

type Handler = (event: Pick<IpcMainInvokeEvent, 'senderFrame'>, ...args: unknown[]) => unknown

const handlers = new Map<string, Handler>()

/** Calls a channel like a frame: values are cloned in both directions. */
export async function invoke(channel: string, args: unknown[], senderFrame: unknown): Promise<unknown> {
  const handler = handlers.get(channel)
  if (handler === undefined) throw new Error(`No handler registered for '${channel}'`)
  return structuredClone(
    await handler(
      { senderFrame: senderFrame as IpcMainInvokeEvent['senderFrame'] },
      ...structuredClone(args),
    ),
  )
}

/** Channels that a page can call: those with a handler or listeners. */
export function openChannels(): string[] {
  return [...handlers.keys(), ...ipcMain.eventNames().map(String)]
}

class StandinIpcMain extends StandinEmitter {
  constructor() {
    super('ipcMain')
  }

  handle(channel: string, handler: Parameters<IpcMain['handle']>[1]): void {
    if (handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`)
    handlers.set(channel, handler as Handler)
  }
}

knowsOnly<Unknown<StandinIpcMain, IpcMain>>()

export const ipcMain = strict('ipcMain', new StandinIpcMain())
