import * as z from 'zod'
import { parseBinding, type Subscription } from './changes/subscription'
import { JoinError } from './join-error'

export interface JoinConfig {
  accessToken: string | null
  isPrivate: boolean
  /** The client waits to hear that broadcasts from the database arrive. */
  awaitsReplication: boolean
  presence: { key: string; enabled: boolean }
  subscriptions: Subscription[]
}

const off = z.literal(false).default(false)

// Everything that supabase-js sends. Options that the app does not use are refused instead of ignored.
const configSchema = z.strictObject({
  private: z.boolean().default(false),
  broadcast: z
    .strictObject({ ack: off, self: off, replication_ready: z.boolean().default(false) })
    .default({ ack: false, self: false, replication_ready: false }),
  presence: z
    .strictObject({ key: z.string().max(64).default(''), enabled: z.boolean().default(false) })
    .default({ key: '', enabled: false }),
  postgres_changes: z.array(z.unknown()).default([]),
  // A join always waits for its bindings here, and no longer than the client does.
  postgres_changes_options: z.looseObject({}).optional(),
})

const joinSchema = z.looseObject({
  access_token: z.string().nullish().default(null),
  config: configSchema.default(configSchema.parse({})),
})

/** Reads the payload of a join, or throws a JoinError. */
export function parseJoin(payload: unknown): JoinConfig {
  const parsed = joinSchema.safeParse(payload)
  if (!parsed.success) throw new JoinError('InvalidJoinPayload: The options of the channel are not served')
  const { access_token, config } = parsed.data
  return {
    accessToken: access_token,
    isPrivate: config.private,
    awaitsReplication: config.broadcast.replication_ready,
    presence: config.presence,
    subscriptions: config.postgres_changes.map((binding, index) => parseBinding(binding, index + 1)),
  }
}
