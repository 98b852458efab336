import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** A TypeScript module in a process of its own, which answers one question at a time. */
export interface Child<Questions extends Record<string, { ask: unknown; answer: unknown }>> {
  ask<Q extends keyof Questions & string>(
    question: Q,
    value: Questions[Q]['ask'],
  ): Promise<Questions[Q]['answer']>
  end(): Promise<void>
}

/** Starts `bench/<module>`, whose `serve` function answers. */
export async function startChild<Questions extends Record<string, { ask: unknown; answer: unknown }>>(
  module: string,
): Promise<Child<Questions>> {
  const child: ChildProcess = fork(join('scripts/lib/bench-child.mjs'), [module], { stdio: 'inherit' })
  const [hello]: unknown[] = await once(child, 'message')
  if (hello !== 'ready') throw new Error(`${module} did not start`)
  return {
    ask: async (question, value) => {
      child.send({ question, value })
      const [reply]: { answer?: unknown; error?: string }[] = await once(child, 'message')
      if (reply?.error !== undefined) throw new Error(reply.error)
      return reply?.answer as never
    },
    end: async () => {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}
