import * as z from 'zod'
import { SERVED_CHANGES } from './served'

/** A refused join. `message` is the reason that the client receives. */
export class JoinError extends Error {
  override readonly name = 'JoinError'
}

const off = z.literal(false).default(false)

// The options that supabase-js sends. Values that the app does not use are refused instead of ignored.
const configSchema = z.strictObject({
  private: z.boolean().default(false),
  // `replication_ready` asks hosted for a notice once broadcasts from the database arrive. Here they arrive after each join.
  broadcast: z
    .strictObject({ ack: off, self: off, replication_ready: z.boolean().default(false) })
    .prefault({}),
  presence: z
    .strictObject({ key: z.string().max(64).default(''), enabled: z.boolean().default(false) })
    .prefault({}),
  // The app uses none.
  postgres_changes: z.array(z.unknown()).max(10).default([]),
})
const joinSchema = z.looseObject({
  access_token: z.string().nullish().default(null),
  config: configSchema.prefault({}),
})

export const servedTableSchema = z.enum(['messages', 'notifications'])
// Strict, so that hosted's other options, such as `select`, are refused.
const bindingSchema = z.strictObject({
  event: z.literal('INSERT'),
  schema: z.literal('public'),
  table: servedTableSchema,
  filter: z.string(),
})
const uuidSchema = z.guid().toLowerCase()

/** A binding of postgres_changes, to new rows whose served column has this value. */
export interface Subscription {
  binding: z.infer<typeof bindingSchema>
  /** Identifies the binding in messages to the client. Never 0, which supabase-js treats as missing. */
  id: number
  /** A uuid. */
  value: string
}

/** The parsed options of a join. */
export interface JoinConfig {
  accessToken: string | null
  isPrivate: boolean
  presence: { key: string; enabled: boolean }
  subscriptions: Subscription[]
}

/** Parses the payload of a join. Throws a JoinError. */
export function parseJoin(payload: unknown): JoinConfig {
  const parsed = joinSchema.safeParse(payload)
  if (!parsed.success) throw new JoinError('InvalidJoinPayload: The options of the channel are not served')
  const { access_token, config } = parsed.data
  if (config.private && config.postgres_changes.length > 0) {
    throw new JoinError('RealtimeDisabledForConfiguration: Changes are published in public channels only')
  }
  return {
    accessToken: access_token,
    isPrivate: config.private,
    presence: config.presence,
    subscriptions: config.postgres_changes.map((binding, index) => parseBinding(binding, index + 1)),
  }
}

/** Throws a JoinError that neither quotes the binding nor depends on any row. */
function parseBinding(given: unknown, id: number): Subscription {
  const { data: binding } = bindingSchema.safeParse(given)
  if (binding === undefined)
    throw refusal('Please check Realtime is enabled for the given connect parameters')
  const condition = `${SERVED_CHANGES[binding.table]}=eq.`
  const { data: value } = uuidSchema.safeParse(binding.filter.slice(condition.length))
  if (!binding.filter.startsWith(condition) || value === undefined) {
    throw refusal(`The filter is ${condition} and a uuid`)
  }
  return { binding, id, value }
}

function refusal(reason: string): JoinError {
  return new JoinError(
    `RealtimeDisabledForConfiguration: Unable to subscribe to changes with given parameters. ${reason}`,
  )
}
