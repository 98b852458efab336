import { cp, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { defineConfig, type Plugin } from 'vite'

const root = import.meta.dirname
const outDir = resolve(root, 'out/backend')
const migrations = resolve(root, 'supabase/migrations')
/** The migrations of 0.1, which upgrade its data (src/backend/database/migrations.ts). */
const REPLACED = 'supabase/before-0.2.json'

/** Puts the migrations beside the bundle, and a first start prepared with them. */
function withMigrations(): Plugin {
  return {
    name: 'backend-migrations',
    apply: 'build',
    async closeBundle(error) {
      if (error !== undefined) return
      await cp(migrations, resolve(outDir, 'migrations'), { recursive: true })
      await cp(resolve(root, REPLACED), resolve(outDir, 'before-0.2.json'))
      const template = resolve(outDir, 'template')
      await rm(template, { recursive: true, force: true })
      const bundle: { writeTemplate(folder: string, migrationsDir: string): Promise<void> } = await import(
        pathToFileURL(resolve(outDir, 'template.mjs')).href
      )
      await bundle.writeTemplate(template, migrations)
    },
  }
}

const CLIENT = '@supabase/supabase-js'

/** Lite imports Supabase's client for a method the backend never calls: 400 KB, and a warning on every start. */
function withoutClient(): Plugin {
  return {
    name: 'backend-without-client',
    enforce: 'pre',
    resolveId: (source) => (source === CLIENT ? `\0${CLIENT}` : null),
    load: (id) =>
      id === `\0${CLIENT}`
        ? "export const createClient = () => { throw new Error('The backend has no Supabase client') }"
        : null,
  }
}

/** Extensions of PostgreSQL that lite hands to every PGlite; no database of ours has created any of them. */
const UNUSED = /^@electric-sql\/pglite\/contrib\/(isn|ltree|file_fdw|pgcrypto)$/

/** Unpacking and compiling the unused extensions took a quarter of each start, and their memory for as long as it runs. */
function withoutUnusedExtensions(): Plugin {
  return {
    name: 'backend-without-unused-extensions',
    enforce: 'pre',
    resolveId: (source) => (UNUSED.test(source) ? `\0${source}` : null),
    load: (id) => {
      const name = UNUSED.exec(id.slice(1))?.[1]
      return name === undefined ? null : `export const ${name} = { name: '${name}', setup: async () => ({}) }`
    },
  }
}

/** PostgreSQL with lite, and password hashes, each of which the programs run in a thread of its own. */
const threads = {
  'database-thread': 'src/backend/start/database-thread.ts',
  'hash-thread': 'src/backend/database/hash-thread.ts',
}

const all = {
  cli: 'src/backend/start/cli.ts',
  utility: 'src/backend/start/utility.ts',
  ...threads,
  template: 'src/backend/database/template.ts',
}

/**
 * The embedded backend: everything in a few files but PGlite, which finds its WebAssembly beside itself. `--mode thread`
 * builds the threads alone, for tests that run the rest from its sources.
 */
export default defineConfig(({ mode }) => ({
  root,
  resolve: { alias: { '#': resolve(root, 'src') } },
  plugins: [withoutClient(), withoutUnusedExtensions(), ...(mode === 'thread' ? [] : [withMigrations()])],
  ssr: { noExternal: true },
  build: {
    ssr: true,
    target: 'node20',
    outDir,
    emptyOutDir: true,
    license: { fileName: 'third-party-licenses.txt' },
    minify: false,
    rolldownOptions: {
      input: mode === 'thread' ? threads : all,
      external: [/^@electric-sql\/pglite($|\/(?!contrib\/(isn|ltree|file_fdw|pgcrypto)$))/],
      output: { format: 'es', entryFileNames: '[name].mjs', chunkFileNames: 'chunk-[name]-[hash].mjs' },
    },
  },
}))
