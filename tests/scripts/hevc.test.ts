import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  vi.resetModules()
})

interface BundlePlugin {
  name: string
  writeBundle(options: { dir: string }): Promise<void>
}

/** What the build of the renderer writes beside it, and its list of licenses. */
async function buildBeside(): Promise<{ files: string[]; licenses: string }> {
  const { default: config } = await import('../../electron.vite.config')
  const { renderer } = config as { renderer: { plugins: BundlePlugin[] } }
  const plugin = renderer.plugins.find(({ name }) => name === 'libheif')
  const folder = await mkdtemp(join(tmpdir(), 'vignette-hevc-'))
  try {
    const dir = join(folder, 'renderer')
    await mkdir(dir)
    await writeFile(join(dir, 'third-party-licenses.txt'), 'MIT')
    await plugin?.writeBundle({ dir })
    const files = await readdir(join(folder, 'libheif')).catch(() => [])
    return { files: files.sort(), licenses: await readFile(join(dir, 'third-party-licenses.txt'), 'utf8') }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

describe('CREATE-11 a build', () => {
  test('has libheif in separate files, and names it in its licenses', async () => {
    const { files, licenses } = await buildBeside()
    expect(files).toEqual(['LICENSE.txt', 'README.txt', 'libheif.mjs'])
    expect(licenses).toContain('https://github.com/strukturag/libde265')
  })

  test('names the versions of libheif and libde265 that are in the file', async () => {
    const folder = join(import.meta.dirname, '../../node_modules/libheif-js')
    const { version, repository } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
    const { default: start } = await import(join(folder, 'libheif-wasm/libheif-bundle.mjs'))
    const library = start()
    const textAt = (at: number) =>
      Buffer.from(library.HEAPU8.subarray(at, library.HEAPU8.indexOf(0, at))).toString()
    const libde265 = textAt(library._de265_get_version())
    const notice = (await buildBeside()).licenses.replaceAll(/\s+/g, ' ')
    expect(notice).toContain(
      `It is libheif ${textAt(library._heif_get_version())} with libde265 ${libde265} inside`,
    )
    expect(notice).toContain(`as the package libheif-js ${version} distributes it`)
    expect(notice).toContain(repository.url.replace(/^git\+|\.git$/g, ''))
    expect(notice).toContain(`/download/v${libde265}/libde265-${libde265}.tar.gz`)
  })

  test('with VIGNETTE_HEVC=off has no decoder of HEVC', async () => {
    vi.stubEnv('VIGNETTE_HEVC', 'off')
    expect(await buildBeside()).toEqual({ files: [], licenses: 'MIT' })
  })

  test('with VIGNETTE_HEVC=off offers no HEIC, and refuses it with its reason', async () => {
    vi.stubGlobal('__HEVC__', false)
    const { PHOTO_EXTENSIONS } = await import('#/shared/photo-files')
    expect(PHOTO_EXTENSIONS).toContain('jpg')
    expect(PHOTO_EXTENSIONS.filter((extension) => ['heic', 'heif', 'hif'].includes(extension))).toEqual([])
    const { decodePicture, decodePreview } = await import('#/renderer/lib/media/decode/decode-picture')
    const { texts } = await import('#/renderer/lib/texts')
    const heic = new Blob([
      new Uint8Array(await readFile(join(import.meta.dirname, '../e2e/fixtures/camera-files/corners.heic'))),
    ])
    await expect(decodePicture(heic)).rejects.toMatchObject({ code: 'heic' })
    await expect(decodePreview(heic)).rejects.toMatchObject({ code: 'heic' })
    expect(texts.media.heic).toContain('This build of the app cannot read HEIC photos.')
  })
})
