import { useMemo } from 'react'
import { create } from 'zustand'
import { AppError } from '#/renderer/lib/errors'
import { connection, onMessageEvent, retryDelay } from '#/renderer/lib/live'
import { logFailure } from '#/renderer/lib/logger'
import { toServerTime } from '#/renderer/lib/server-time'
import { supabase } from '#/renderer/lib/supabase'
import { livingWindows, tellOfWindow, WINDOW_ID } from '../windows'
import { awaitOutbox, endOpening, type Opened } from './opening'
import { createOutbox, type Outbox } from './outbox'
import { sendToServer } from './send'
import { indexedDbStore } from './store'
import type { MessageDraft, OutgoingMessage } from './types'

/** When to try again what could not be sent although the connection seems to be there, or is lost for long. */
const AGAIN = { first: 4_000, longest: 8_000 }

const shown = create<readonly OutgoingMessage[]>(() => [])

let active: Opened | null = null

function outbox(): Outbox {
  if (active === null) throw new Error('the outbox has not been started')
  return active.outbox
}

/** A browser without locks (an origin that is not secure) has to trust that it is the only window. */
function alone(name: string, work: () => Promise<void>): Promise<void> {
  return 'locks' in navigator ? navigator.locks.request(name, work) : work()
}

/** Whose messages they are, as they are kept. */
function ownerOf(me: string, server: string): string {
  return `${server} ${me}`
}

/**
 * Opens the outbox of a member on a server, and sends what waits in it, until the function it gives is called. What
 * waits then is kept for the same member.
 */
export function startOutbox(me: string, server: string): () => void {
  tellOfWindow()
  const owner = ownerOf(me, server)
  const name = `vignette.outbox ${owner}`
  const others = new BroadcastChannel(name)
  const mine = createOutbox({
    store: indexedDbStore(owner),
    shown,
    send: (message) => sendToServer(me, message),
    isLost: () => connection.getState().state === 'lost',
    alone: (work) => alone(name, work),
    tellOthers: () => others.postMessage(null),
    windowId: WINDOW_ID,
    livingWindows,
  })
  const opened: Opened = { owner: me, outbox: mine }
  active = opened
  endOpening(opened)

  const log = (cause: unknown) => logFailure('outbox', cause)
  const drain = () => void mine.drain().catch(log)
  others.addEventListener('message', () => void mine.reload().catch(log))
  let attempts = 0
  const stopFollowing = connection.subscribe(({ state }, before) => {
    if (state !== 'online' || before.state === 'online') return
    attempts = 0
    drain()
  })
  const ignoreMessages = onMessageEvent(({ row }) => {
    if (row.sender_id === me) mine.acknowledge(row.id).catch(log)
  })

  let timer: ReturnType<typeof setTimeout> | undefined
  const stopWatching = shown.subscribe((messages) => {
    clearTimeout(timer)
    if (messages.every(({ state }) => state === 'refused')) attempts = 0
    if (messages.every(({ state }) => state !== 'waiting')) return
    timer = setTimeout(
      () => {
        attempts += 1
        drain()
      },
      retryDelay(attempts, Math.random, AGAIN),
    )
  })
  if (connection.getState().state === 'online') drain()

  return () => {
    mine.close()
    clearTimeout(timer)
    stopFollowing()
    stopWatching()
    ignoreMessages()
    others.close()
    if (active === opened) active = null
    shown.setState([], true)
  }
}

/** Removes what waits of a member on a server, whose account is gone; of what is under way nothing is kept either. */
export async function forgetOutbox(me: string, server: string): Promise<void> {
  if (active?.owner === me) active.outbox.close()
  await indexedDbStore(ownerOf(me, server)).clear()
}

/** The messages of a conversation that are on their way, oldest first. */
export function useOutbox(conversationId: string): OutgoingMessage[] {
  const messages = shown()
  return useMemo(
    () => messages.filter((message) => message.conversation_id === conversationId),
    [messages, conversationId],
  )
}

/** When the last message of each conversation that is on its way was written, by the server's clock. */
export function useUnsentTimes(): Readonly<Record<string, string>> {
  const messages = shown()
  return useMemo(
    () =>
      Object.fromEntries(
        messages.map(({ conversation_id, created_at }) => [conversation_id, toServerTime(created_at)]),
      ),
    [messages],
  )
}

/** `Outbox.submit` of the member's outbox (MSG-04, MSG-09), as soon as that is open. */
export async function sendMessage(draft: MessageDraft, onKept?: () => void): Promise<'sent' | 'waiting'> {
  if (active !== null) return active.outbox.submit(draft, onKept)
  const { data } = await supabase().auth.getSession()
  const opened = active ?? (await awaitOutbox())
  // What one member wrote is never sent by the next.
  if (opened.owner !== data.session?.user.id) throw new AppError('session-expired', '', 'send message')
  return opened.outbox.submit(draft, onKept)
}

/** Sends once more what the server refused. */
export function retryMessage(id: string): Promise<void> {
  return outbox().retry(id)
}

/** Removes a message that the server refused and returns it, to be edited. */
export function takeRefusedMessage(id: string): Promise<OutgoingMessage | null> {
  return outbox().takeRefused(id)
}

/** Throws away what waits or was refused. */
export function discardMessage(id: string): Promise<void> {
  return outbox().discard(id)
}
