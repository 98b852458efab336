import type { QueryClient } from '@tanstack/react-query'
import { onTestFinished, vi } from 'vitest'
import { startOutbox } from '#/renderer/lib/outbox/active'
import type { OutboxKind } from '#/renderer/lib/outbox/row'
import { clearMemoryStore } from './memory-store'

/** Starts an empty outbox of the member `me`, as the app does, until the test ends or the returned function is called. */
export function runOutbox(client: QueryClient, kinds: readonly OutboxKind[]): () => void {
  clearMemoryStore()
  if (typeof document === 'undefined') vi.stubGlobal('navigator', { onLine: true })
  for (const name of ['addEventListener', 'removeEventListener'])
    if (!(name in globalThis)) vi.stubGlobal(name, () => undefined)
  const stop = startOutbox(client, { me: 'me', server: 'embedded' }, kinds)
  onTestFinished(stop)
  return stop
}
