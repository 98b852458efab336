import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { words } from '#tests/words'

const RENDERER = 'src/renderer'
const styles = readFileSync(`${RENDERER}/app/styles.css`, 'utf8')

/** The relative luminance of a colour token (WCAG 2). */
function luminance(token: string, scheme: 'light' | 'dark'): number {
  const found = new RegExp(`--color-${token}: light-dark\\(#(\\w{6}), #(\\w{6})\\);`).exec(styles)
  const hex = found?.[scheme === 'light' ? 1 : 2]
  if (hex === undefined) throw new Error(`No colour ${token}`)
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
}

describe('MSG-03 the ground of incoming messages, of notices, and of pictures that are not loaded', () => {
  test.each(['paper', 'raised'])('is lighter than %s in dark mode, darker in light mode', (ground) => {
    expect(luminance('lifted', 'dark')).toBeGreaterThan(luminance(ground, 'dark'))
    expect(luminance('lifted', 'light')).toBeLessThan(luminance(ground, 'light'))
  })

  test.each(['light', 'dark'] as const)('keeps texts and links readable: %s', (scheme) => {
    for (const text of ['ink', 'quiet', 'accent'])
      expect(contrast(luminance(text, scheme), luminance('lifted', scheme)), text).toBeGreaterThan(4.5)
  })

  test.each(
    words(`
    components/Avatar.tsx components/PhotoFrame.tsx components/PostSkeleton.tsx
    features/auth/components/RecoverForms.tsx features/auth/components/SessionEndNotice.tsx
    features/messages/components/Bubble.tsx features/messages/components/MessagePhoto.tsx
    features/messages/components/SharedCard.tsx features/messages/components/TimelineItem.tsx
    features/notifications/components/NotificationItem.tsx features/post/components/PostCell.tsx
    features/post/components/PostText.tsx features/profile/components/ProfileHeader.tsx
  `),
  )('is used in %s', (file) => {
    const classes = readFileSync(`${RENDERER}/${file}`, 'utf8').match(/(?<=[\s"'])bg-(?:sunk|lifted)\b/g)
    expect(classes).toContain('bg-lifted')
    expect(classes).not.toContain('bg-sunk')
  })
})
