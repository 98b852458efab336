import * as z from 'zod'

/** One binding of postgres_changes as the client wrote it; answered with the same fields. */
export interface ChangeBinding {
  event?: string | undefined
  schema?: string | undefined
  table?: string | undefined
  filter?: string | undefined
  select?: string[] | undefined
  [field: string]: unknown
}

export interface JoinConfig {
  accessToken: string | null
  isPrivate: boolean
  broadcast: { ack: boolean; self: boolean }
  presence: { key: string; enabled: boolean }
  bindings: ChangeBinding[]
  /** Whether a refused binding refuses the join, instead of a system message after it. */
  waitsForChanges: boolean
}

const flag = z.boolean().catch(false)
const text = z.string().optional().catch(undefined)

const bindingSchema = z.looseObject({
  event: text,
  schema: text,
  table: text,
  filter: text,
  select: z.array(z.string()).optional().catch(undefined),
})

// Like hosted, which joins with what it can read of a payload: nothing here refuses.
const configSchema = z.object({
  private: flag,
  broadcast: z.object({ ack: flag, self: flag }).catch({ ack: false, self: false }),
  presence: z.object({ key: z.string().catch(''), enabled: flag }).catch({ key: '', enabled: false }),
  postgres_changes: z
    .array(z.unknown())
    .catch([])
    .transform((bindings) => bindings.filter((binding) => binding !== null)),
  postgres_changes_options: z.object({ wait: flag }).catch({ wait: false }),
})

const joinSchema = z.object({
  access_token: z.string().nullable().catch(null),
  config: configSchema.catch(configSchema.parse({})),
})

/** Reads the payload of a join. */
export function parseJoin(payload: unknown): JoinConfig {
  const { access_token, config } = joinSchema.catch(joinSchema.parse({})).parse(payload)
  return {
    accessToken: access_token,
    isPrivate: config.private,
    broadcast: config.broadcast,
    presence: config.presence,
    bindings: config.postgres_changes.map((binding) => bindingSchema.catch({}).parse(binding)),
    waitsForChanges: config.postgres_changes_options.wait,
  }
}
