import * as z from 'zod'
import { JoinError } from '#/backend/realtime/join-error'
import { SERVED_CHANGES, type ServedChanges } from '#/backend/realtime/served'

// Strict, so that `select` and whatever else hosted knows are refused.
const bindingSchema = z.strictObject({
  event: z.literal('INSERT'),
  schema: z.literal('public'),
  table: z.string(),
  filter: z.string(),
})
const SERVED = new Map<string | undefined, ServedChanges>(Object.entries(SERVED_CHANGES))
const uuidSchema = z.guid().toLowerCase()

/** A binding of postgres_changes, as a join names it. */
export type ChangeBinding = z.infer<typeof bindingSchema>

/** The new rows that a binding asks for. */
export interface Subscription {
  binding: ChangeBinding
  /** Names the binding in messages to the client; never 0, which supabase-js takes for none. */
  id: number
  column: string
  /** The uuid that the column has. */
  value: string
}

/** Reads a binding, or throws a JoinError that neither repeats the binding nor depends on any row. */
export function parseBinding(given: unknown, id: number): Subscription {
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
