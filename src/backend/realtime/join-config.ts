import * as z from 'zod'
import { SERVED_CHANGES, type ServedChanges } from './served'

/** A refused join. `message` is the reason that the client receives. */
export class JoinError extends Error {
  override readonly name = 'JoinError'
}

export interface JoinConfig {
  accessToken: string | null
  isPrivate: boolean
  /** Whether the client waits for a notice that broadcasts from the database arrive. */
  awaitsReplication: boolean
  presence: { key: string; enabled: boolean }
  subscriptions: Subscription[]
}

const off = z.literal(false).default(false)

// All options of supabase-js. Options that the app does not use are refused instead of ignored.
const configSchema = z.strictObject({
  private: z.boolean().default(false),
  broadcast: z
    .strictObject({ ack: off, self: off, replication_ready: z.boolean().default(false) })
    .default({ ack: false, self: false, replication_ready: false }),
  presence: z
    .strictObject({ key: z.string().max(64).default(''), enabled: z.boolean().default(false) })
    .default({ key: '', enabled: false }),
  postgres_changes: z.array(z.unknown()).default([]),
  // The options control whether a join waits for its bindings. Here it always does.
  postgres_changes_options: z.looseObject({}).optional(),
})

const joinSchema = z.looseObject({
  access_token: z.string().nullish().default(null),
  config: configSchema.default(configSchema.parse({})),
})

/** Parses the payload of a join. Throws a JoinError. */
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

// Strict, so that hosted's other options, such as `select`, are refused.
const bindingSchema = z.strictObject({
  event: z.literal('INSERT'),
  schema: z.literal('public'),
  table: z.string(),
  filter: z.string(),
})
const SERVED = new Map<string | undefined, ServedChanges>(Object.entries(SERVED_CHANGES))
const uuidSchema = z.guid().toLowerCase()

/** A binding of postgres_changes in a join. */
type ChangeBinding = z.infer<typeof bindingSchema>

/** A parsed binding: inserts of rows whose column has this value. */
export interface Subscription {
  binding: ChangeBinding
  /** Identifies the binding in messages to the client. Never 0, which supabase-js treats as missing. */
  id: number
  column: string
  /** A uuid. */
  value: string
}

/** Throws a JoinError that neither quotes the binding nor depends on any row. */
function parseBinding(given: unknown, id: number): Subscription {
  const binding = bindingSchema.safeParse(given).data
  const table = SERVED.get(binding?.table)
  if (binding === undefined || table === undefined) {
    throw refusal('Please check Realtime is enabled for the given connect parameters')
  }
  const [, column = '', text] = /^(\w+)=eq\.(.*)$/s.exec(binding.filter) ?? []
  const value = uuidSchema.safeParse(text).data
  if (column !== table.filter || value === undefined) {
    throw refusal(`The filter is ${table.filter}=eq. and a uuid`)
  }
  return { binding, id, column, value }
}

function refusal(reason: string): JoinError {
  return new JoinError(
    `RealtimeDisabledForConfiguration: Unable to subscribe to changes with given parameters. ${reason}`,
  )
}
