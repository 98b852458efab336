import * as z from 'zod'
import type { Session } from '#/backend/database/queries'
import type { Exclusive } from '#/backend/mutex'
import type { Rooms } from './rooms'
import { BROADCASTS_CHANNEL } from './setup-sql'

const broadcastSchema = z.object({
  id: z.string(),
  topic: z.string(),
  event: z.string(),
  payload: z.unknown(),
})

/** Delivers messages of `realtime.send` to the private channels of their topic. Returns a function that stops it. */
export async function forwardBroadcasts(
  pg: Session,
  exclusive: Exclusive,
  rooms: Pick<Rooms, 'broadcast'>,
): Promise<() => Promise<void>> {
  const stop = await exclusive(() =>
    pg.listen(BROADCASTS_CHANNEL, (text) => {
      const { id, topic, event, payload } = broadcastSchema.parse(JSON.parse(text))
      rooms.broadcast(topic, { id, event, bytes: Buffer.from(JSON.stringify(payload)) })
    }),
  )
  return () => exclusive(() => stop())
}
