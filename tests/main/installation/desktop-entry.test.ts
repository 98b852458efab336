import { describe, expect, test } from 'vitest'
import { entryProgram, entryString, execProgram, withProgram } from '#/main/installation/desktop-entry'
import { IMAGE_ENTRY } from '#tests/main/support/image-content'

const PATHS = [
  '/opt/Vignette/vignette',
  '/home/a b/Vignette 100%.AppImage',
  '/home/ana/%U/$HOME/`id`/"x"/Vignette.AppImage',
  '/home/ana/back\\slash\\n/Vignette.AppImage',
  '/home/ana/new\nExec=evil\tline/Vignette.AppImage',
  "/home/ana/it's/Vignette.AppImage",
]

describe('DESK-15 desktop entries', () => {
  test('quote a program as the specification says: quotes first, then the escapes of strings', () => {
    expect(execProgram('/a b/$x"`\\')).toBe('"/a b/\\\\$x\\\\"\\\\`\\\\\\\\"')
    // GLib would not find it by itself.
    expect(execProgram('/100%/vignette')).toBe('env "/100%%/vignette"')
    expect(entryString('a b\\c\nd')).toBe('a b\\\\c\\nd')
  })

  test.each(PATHS)('name the same program when read again, on one line: %j', (path) => {
    const entry = withProgram(IMAGE_ENTRY, path)
    expect(entryProgram(entry)).toBe(path)
    expect(entry.split('\n')).toHaveLength(IMAGE_ENTRY.split('\n').length)
    expect(entry.match(/^Exec=/gm)).toHaveLength(3)
    expect(entry).toMatch(/^Exec=.* %U$/m)
    expect(entry).toMatch(/^Exec=.* vignette:\/\/create$/m)
    // A second program replaces the first one whatever it was.
    expect(withProgram(entry, '/opt/vignette')).toBe(withProgram(IMAGE_ENTRY, '/opt/vignette'))
  })

  test('without a program name none', () => {
    expect(entryProgram('[Desktop Entry]\nName=Vignette\n')).toBeNull()
    expect(entryProgram('[Desktop Entry]\nExec=\n')).toBeNull()
  })
})
