import { join, resolve } from 'node:path'
import { resolveConfig } from 'electron-vite'
import { build } from 'vite'

const root = resolve(import.meta.dirname, '../..')

/** The server of a build; none by default. */
export interface BuildEnvironment {
  SUPABASE_URL?: string
  SUPABASE_PUBLISHABLE_KEY?: string
}

/** Restores the environment after a build: Vite sets NODE_ENV, which would affect other tests in this process. */
async function inOwnEnvironment(run: () => Promise<unknown>): Promise<void> {
  const before = { ...process.env }
  try {
    await run()
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
    Object.assign(process.env, before)
  }
}

/** Builds main and preload as `npm run build` does, into DIRECTORY/main and DIRECTORY/preload. */
export async function buildShell(
  directory: string,
  parts: readonly ('main' | 'preload')[],
  environment: BuildEnvironment = {},
): Promise<void> {
  await inOwnEnvironment(async () => {
    // Ignore the tester's environment.
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
  })
}

/** Builds the Electron stand-in; returns the path of its single file. */
export async function buildStandin(directory: string): Promise<string> {
  await inOwnEnvironment(() =>
    build({
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
    }),
  )
  return join(directory, 'electron.cjs')
}
