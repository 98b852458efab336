import * as z from 'zod'
import { JoinError } from '#/backend/realtime/join-error'
import { type ChangeEvent, SERVED_CHANGES, type ServedChanges } from '#/backend/realtime/served'

/** The most values of an `in` filter, as on hosted. */
const IN_MAX = 100

// Strict, so that `select` and whatever else hosted knows are refused.
const bindingSchema = z.strictObject({
  event: z.string(),
  schema: z.literal('public'),
  table: z.string(),
  filter: z.string(),
})
const SERVED = new Map<string | undefined, ServedChanges>(Object.entries(SERVED_CHANGES))
const uuidSchema = z.guid().toLowerCase()

/** A binding of postgres_changes, as a join names it. */
export type ChangeBinding = z.infer<typeof bindingSchema>

/** The rows that a binding asks for. */
export interface Subscription {
  binding: ChangeBinding
  /** Names the binding in messages to the client; never 0, which supabase-js takes for none. */
  id: number
  event: ChangeEvent
  column: string
  /** The column has one of these uuids. */
  values: ReadonlySet<string>
}

/** Reads a binding, or throws a JoinError that neither repeats the binding nor depends on any row. */
export function parseBinding(given: unknown, id: number): Subscription {
  const binding = bindingSchema.safeParse(given).data
  const table = SERVED.get(binding?.table)
  const event = table?.events.find((one) => one === binding?.event)
  if (binding === undefined || table === undefined || event === undefined) {
    throw refusal('Please check Realtime is enabled for the given connect parameters')
  }
  const [, column = '', operator, text = ''] = /^(\w+)=(eq|in)\.(.*)$/s.exec(binding.filter) ?? []
  const list = operator === 'in' ? /^\((.*)\)$/s.exec(text)?.[1]?.split(',') : [text]
  const values = z.array(uuidSchema).min(1).max(IN_MAX).safeParse(list).data
  if (!table.filters.includes(column) || values === undefined) {
    throw refusal(`Filters are eq or in, with uuids, on: ${table.filters.join(', ')}`)
  }
  return { binding, id, event, column, values: new Set(values) }
}

function refusal(reason: string): JoinError {
  return new JoinError(
    `RealtimeDisabledForConfiguration: Unable to subscribe to changes with given parameters. ${reason}`,
  )
}
