import { readFileSync } from 'node:fs'
import { appendFile, copyFile, mkdir, readdir, readFile, rm } from 'node:fs/promises'
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

const unused = resolve(import.meta.dirname, 'src/renderer/lib/server/unused-services.ts')
const realtimeLater = resolve(import.meta.dirname, 'src/renderer/lib/server/realtime-later.ts')

/** Modules that get a stand-in where these packages import them: what the app imports under that name is the true one. */
const STAND_INS = [
  { importer: 'supabase-js', source: '@supabase/realtime-js', standIn: realtimeLater },
  { importer: 'auth-js', source: './lib/webauthn', standIn: unused },
  { importer: 'auth-js', source: './lib/web3/ethereum', standIn: unused },
]

const standIns: Plugin = {
  name: 'stand-ins',
  enforce: 'pre',
  resolveId: (source, importer) =>
    STAND_INS.find((entry) => entry.source === source && importer?.includes(entry.importer) === true)
      ?.standIn ?? null,
}

// These modules have no side effects. The bundler can therefore skip a feature's index.ts and load only the files whose
// exports are used. An index.ts that also declares something cannot be skipped: everything that it re-exports is then in the
// first load (tests/scripts/renderer-rules.test.ts).
const OUR_MODULE = /[\\/]src[\\/](renderer|shared)[\\/].*\.tsx?$/

// Every screen imports `texts`, but those of the first load use none of these groups.
const LATER_TEXTS =
  /[\\/]lib[\\/]texts[\\/](auth|composer|emoji|first-hour|media|messages|profile|safety|server|settings|shortcuts|stories)\.ts$/

/** Without a decoder of HEVC, which is encumbered by patents in some countries: docs/decisions/0070-photo-formats.md. */
const hasHevc = process.env.VIGNETTE_HEVC !== 'off'
const hevc = { __HEVC__: JSON.stringify(hasHevc) }

const LIBHEIF = resolve(import.meta.dirname, 'node_modules/libheif-js/libheif-wasm')
const LIBHEIF_FILES = {
  'libheif.mjs': resolve(LIBHEIF, 'libheif-bundle.mjs'),
  'LICENSE.txt': resolve(LIBHEIF, 'LICENSE'),
  'README.txt': resolve(import.meta.dirname, 'resources/libheif/README.txt'),
}

/**
 * libheif is under the LGPL: unchanged, in separate files beside the renderer, which the app's server serves below /assets/libheif/. The
 * list of licenses says so.
 */
const libheif: Plugin = {
  name: 'libheif',
  configureServer: ({ middlewares }) => {
    middlewares.use('/assets/libheif/libheif.mjs', (_, response) => {
      response.setHeader('content-type', 'text/javascript').end(readFileSync(LIBHEIF_FILES['libheif.mjs']))
    })
  },
  writeBundle: async ({ dir = '' }) => {
    const folder = resolve(dir, '../libheif')
    await rm(folder, { recursive: true, force: true })
    if (!hasHevc) return
    await mkdir(folder)
    for (const [name, from] of Object.entries(LIBHEIF_FILES)) await copyFile(from, resolve(folder, name))
    const notice = await readFile(LIBHEIF_FILES['README.txt'], 'utf8')
    await appendFile(resolve(dir, license.fileName), `\n${notice}`)
  },
}

/** Folders of the packages in workers, which Vite bundles apart and leaves out of its list of licenses. */
const workerPackages = new Set<string>()

const workerLicenses: Plugin = {
  name: 'worker-licenses',
  generateBundle: (_, bundle) => {
    for (const chunk of Object.values(bundle)) {
      for (const id of chunk.type === 'chunk' ? chunk.moduleIds : []) {
        const folder = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0]
        if (folder !== undefined) workerPackages.add(folder)
      }
    }
  },
}

const listWorkerLicenses: Plugin = {
  name: 'list-worker-licenses',
  writeBundle: async ({ dir = '' }) => {
    const list = resolve(dir, license.fileName)
    for (const folder of [...workerPackages].sort()) {
      const {
        name,
        version,
        license: kind,
      } = JSON.parse(await readFile(resolve(folder, 'package.json'), 'utf8'))
      const heading = `## ${name} - `
      if ((await readFile(list, 'utf8')).includes(heading)) continue
      const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry))
      const text = file === undefined ? '' : `\n${await readFile(resolve(folder, file), 'utf8')}\n`
      await appendFile(list, `\n${heading}${version} (${kind})\n${text}`)
    }
  },
}

// The app contains these packages, and their licenses ask for this notice.
const license = { fileName: 'third-party-licenses.txt' }

const { SUPABASE_URL: url = '', SUPABASE_PUBLISHABLE_KEY: publishableKey = '' } = process.env

export default defineConfig({
  main: {
    resolve: { alias },
    define: { __BAKED_SERVER__: JSON.stringify({ url, publishableKey }), ...hevc },
    build: {
      license,
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
    define: hevc,
    // Decoders of rare formats are chunks of their worker.
    worker: { format: 'es', plugins: () => [workerLicenses] },
    resolve: {
      alias: [
        ...Object.entries({
          ...alias,
          '@supabase/storage-js': unused,
          '@supabase/functions-js': unused,
        }).map(([find, replacement]) => ({ find, replacement })),
        // Its default entry has the warnings for development.
        {
          find: /^react-router$/,
          replacement: resolve(import.meta.dirname, 'node_modules/react-router/dist/production/index.mjs'),
        },
      ],
    },
    // electron-vite presets a relative base; deep paths of the browser router need an absolute one.
    plugins: [
      standIns,
      react(),
      tailwindcss(),
      listWorkerLicenses,
      libheif,
      { name: 'absolute-base', config: () => ({ base: '/' }) },
    ],
    build: {
      license,
      minify: true,
      target: 'chrome140',
      // What the first load may weigh, gzipped, is in scripts/lib/budgets.mjs.
      chunkSizeWarningLimit: 1_000,
      rolldownOptions: {
        input: 'src/renderer/index.html',
        // What every start needs comes in one file; the bundler would make forty of what lazy chunks share with it. The story viewer
        // comes in three instead of nineteen: a browser has six connections to a server, and pictures wait in them too.
        output: {
          codeSplitting: {
            groups: [
              {
                name: 'app',
                tags: ['$initial'],
                test: (id) => !LATER_TEXTS.test(id),
                includeDependenciesRecursively: false,
              },
              // In a file each, or else the viewer's would have them all.
              {
                name: (id) => LATER_TEXTS.exec(id)?.[1] ?? null,
                debugName: 'later texts',
                includeDependenciesRecursively: false,
              },
              // The first screen needs this for an inline picture, and not the rest of what lazy chunks share.
              {
                name: 'media-formats',
                test: /[\\/]src[\\/]shared[\\/](media-formats|video-formats|picture-content|inspect-\w+|heif-items|jpeg-segments|av1-size)\.ts$/,
              },
              { name: 'shared', minShareCount: 10, includeDependenciesRecursively: false },
              { name: 'story-viewer', test: /[\\/]StoryDialog\.tsx$/ },
            ],
          },
        },
        treeshake: { moduleSideEffects: (id) => !OUR_MODULE.test(id) },
      },
    },
  },
})
