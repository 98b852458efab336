import * as z from 'zod/mini'

export const serverAddressSchema = z.strictObject({
  /** Origin without a path: `https://…`, or `http://…` on loopback. */
  url: z.string().check(z.trim(), z.minLength(1), z.maxLength(2_000)),
  publishableKey: z.string().check(z.trim(), z.minLength(1), z.maxLength(4_000)),
})

/** A Supabase project: its URL and its publishable (or legacy anon) key. */
export type ServerAddress = z.infer<typeof serverAddressSchema>
