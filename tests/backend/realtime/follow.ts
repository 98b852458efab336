import type { RealtimePostgresChangesPayload } from '@supabase/supabase-js'
import { expect, onTestFinished, vi } from 'vitest'
import { type Member, mustSubscribe, type RealtimeServer } from '#tests/backend/realtime/support'

export type Row = Record<string, unknown>
export type Event = RealtimePostgresChangesPayload<Row>

export interface Binding {
  table: 'messages' | 'notifications'
  filter: string
}

/** Subscribes to bindings on one channel as a member. Records the events of each binding and the system messages. */
export async function follow(
  { client }: Member,
  ...bindings: Binding[]
): Promise<{ delivered: Event[][]; systemMessages: string[] }> {
  const channel = client.channel(`test:${crypto.randomUUID()}`)
  onTestFinished(() => client.removeChannel(channel).then(() => undefined))
  const systemMessages: string[] = []
  channel.on('system', {}, ({ status, message }) => systemMessages.push(`${status}: ${message}`))
  const delivered = bindings.map((binding) => {
    const events: Event[] = []
    channel.on<Row>('postgres_changes', { event: 'INSERT', schema: 'public', ...binding }, (payload) =>
      events.push(payload),
    )
    return events
  })
  await mustSubscribe(channel)
  await vi.waitFor(() => expect(systemMessages).toHaveLength(1))
  return { delivered, systemMessages }
}

/** Waits until all earlier events have been delivered. */
export async function waitForDelivery(server: RealtimeServer, { client }: Member): Promise<void> {
  await server.backend.realtime.settled()
  const channel = client.channel(`barrier:${crypto.randomUUID()}`)
  await mustSubscribe(channel)
  await client.removeChannel(channel)
}
