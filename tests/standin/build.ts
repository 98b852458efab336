import { join, resolve } from 'node:path'
import { resolveConfig } from 'electron-vite'
import { build } from 'vite'

const root = resolve(import.meta.dirname, '../..')

/** The server that a build is for; none as a rule. */
export interface BuildEnvironment {
  SUPABASE_URL?: string
  SUPABASE_PUBLISHABLE_KEY?: string
}

/** Builds main and preload as `npm run build` does, into DIRECTORY/main and DIRECTORY/preload. */
export async function buildShell(
  directory: string,
  parts: readonly ('main' | 'preload')[],
  environment: BuildEnvironment = {},
): Promise<void> {
  // Not the server of whoever runs the tests.
  delete process.env.SUPABASE_URL
  delete process.env.SUPABASE_PUBLISHABLE_KEY
  Object.assign(process.env, environment)
  const configFile = join(root, 'electron.vite.config.ts')
  const { config } = await resolveConfig(
    { root, configFile, build: { outDir: directory }, logLevel: 'error' },
    'build',
    'production',
  )
  for (const part of parts) {
    const own = config?.[part]
    if (own === undefined) throw new Error(`electron.vite.config.ts has no ${part}`)
    await build({ ...own, build: { ...own.build, emptyOutDir: false } })
  }
}

/** Builds the electron stand-in; gives the path of its one file. */
export async function buildStandin(directory: string): Promise<string> {
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    resolve: { alias: { '#tests': join(root, 'tests'), '#': join(root, 'src') } },
    build: {
      ssr: join(import.meta.dirname, 'electron/index.ts'),
      outDir: directory,
      emptyOutDir: false,
      minify: false,
      rolldownOptions: { output: { format: 'cjs', exports: 'default', entryFileNames: 'electron.cjs' } },
    },
  })
  return join(directory, 'electron.cjs')
}
