// @ts-check
// Loads a TypeScript module of bench/ in a process of its own and lets its `serve` answer the parent's questions.
import { resolve } from 'node:path'
import { importTypeScript } from './import-typescript.mjs'
import { ROOT } from './paths.mjs'

const [module = ''] = process.argv.slice(2)
/** @type {{ serve: Record<string, (value: unknown) => Promise<unknown>>, end: () => Promise<void> }} */
const { serve, end } = await importTypeScript(resolve(ROOT, 'bench', module))

process.on('message', async (/** @type {{ question: string, value: unknown }} */ { question, value }) => {
  try {
    const handler = serve[question]
    if (handler === undefined) throw new Error(`${module} cannot answer ${question}`)
    process.send?.({ answer: await handler(value) })
  } catch (error) {
    process.send?.({ error: error instanceof Error ? error.stack : String(error) })
  }
})
process.once('disconnect', async () => {
  await end()
  process.exit(0)
})
process.send?.('ready')
