// @ts-check
// The child process of startChild (bench/lib/child.ts): loads a TypeScript module and calls its handlers for the parent.
import { importTypeScript } from './import-typescript.mjs'

const [module = ''] = process.argv.slice(2)
/** @type {{ handlers: Record<string, (params: unknown) => Promise<unknown>>, close: () => Promise<void> }} */
const { handlers, close } = await importTypeScript(`bench/${module}`)

process.on('message', async (/** @type {{ method: string, params: unknown }} */ { method, params }) => {
  try {
    const handler = handlers[method]
    if (handler === undefined) throw new Error(`${module} has no method ${method}`)
    process.send?.({ result: await handler(params) })
  } catch (error) {
    process.send?.({ error: error instanceof Error ? error.stack : String(error) })
  }
})
process.once('disconnect', async () => {
  await close()
  process.exit(0)
})
process.send?.('ready')
