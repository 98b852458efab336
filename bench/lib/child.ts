import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export type Methods = Record<string, { params: unknown; result: unknown }>

/** A TypeScript module in a child process, which handles one call at a time. */
export interface Child<M extends Methods> {
  call<Name extends keyof M & string>(method: Name, params: M[Name]['params']): Promise<M[Name]['result']>
  close(): Promise<void>
}

/** Starts `bench/<module>` in a child process; its `handlers` serve the calls. */
export async function startChild<M extends Methods>(module: string): Promise<Child<M>> {
  const child: ChildProcess = fork(join('scripts/lib/bench-child.mjs'), [module], { stdio: 'inherit' })
  const [firstMessage]: unknown[] = await once(child, 'message')
  if (firstMessage !== 'ready') throw new Error(`${module} did not start`)
  return {
    call: async (method, params) => {
      child.send({ method, params })
      const [reply]: { result?: unknown; error?: string }[] = await once(child, 'message')
      if (reply?.error !== undefined) throw new Error(reply.error)
      return reply?.result as never
    },
    close: async () => {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}
