import { resolve } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'
import type { Plugin } from 'vite'

const alias = { '#': resolve(import.meta.dirname, 'src') }

// CommonJS with .cjs names for main and preload: correct whatever package.json's "type" says, and the only
// format a sandboxed preload can load.
const cjs = {
  format: 'cjs',
  entryFileNames: '[name].cjs',
  chunkFileNames: 'chunks/[name]-[hash].cjs',
} as const

// Names stay, for the stacks in the log.
const minify = { compress: true, mangle: { keepNames: true }, codegen: true } as const

const unused = resolve(import.meta.dirname, 'src/renderer/lib/unused-services.ts')
const realtimeLater = resolve(import.meta.dirname, 'src/renderer/lib/realtime-later.ts')

/** supabase-js itself gets the stand-in; what the app imports under that name is the true client. */
const lateRealtime: Plugin = {
  name: 'late-realtime',
  enforce: 'pre',
  resolveId: (source, importer) =>
    source === '@supabase/realtime-js' && importer?.includes('supabase-js') ? realtimeLater : null,
}

// These modules have no side effects. The bundler can therefore skip a feature's index.ts and load only the files whose
// exports are used. An index.ts that also declares something cannot be skipped: everything that it re-exports is then in the
// first load (tests/scripts/renderer-rules.test.ts).
const OUR_MODULE = /[\\/]src[\\/](renderer|shared)[\\/].*\.tsx?$/

const { SUPABASE_URL: url = '', SUPABASE_PUBLISHABLE_KEY: publishableKey = '' } = process.env

export default defineConfig({
  main: {
    resolve: { alias },
    define: { __BAKED_SERVER__: JSON.stringify({ url, publishableKey }) },
    build: {
      externalizeDeps: { exclude: ['electron-log', 'zod'] },
      rolldownOptions: { input: { index: 'src/main/index.ts' }, output: { ...cjs, minify } },
    },
  },
  preload: {
    resolve: { alias },
    build: {
      externalizeDeps: false,
      isolatedEntries: true,
      rolldownOptions: { input: { index: 'src/preload/index.ts' }, output: cjs },
    },
  },
  renderer: {
    root: 'src/renderer',
    resolve: { alias: { ...alias, '@supabase/storage-js': unused, '@supabase/functions-js': unused } },
    // electron-vite presets a relative base; deep paths of the browser router need an absolute one.
    plugins: [lateRealtime, react(), tailwindcss(), { name: 'absolute-base', config: () => ({ base: '/' }) }],
    build: {
      minify: true,
      target: 'chrome140',
      // What the first load may weigh, gzipped, is in scripts/lib/budgets.mjs.
      chunkSizeWarningLimit: 1_000,
      rolldownOptions: {
        input: 'src/renderer/index.html',
        // What every start needs comes in one file; the bundler would make forty of what lazy chunks share with it.
        output: { codeSplitting: { groups: [{ name: 'app', tags: ['$initial'] }] } },
        treeshake: { moduleSideEffects: (id) => !OUR_MODULE.test(id) },
      },
    },
  },
})
