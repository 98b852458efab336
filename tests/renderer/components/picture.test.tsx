import { fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { Picture } from '#/renderer/components/Picture'
import { signPaths } from '#/renderer/lib/media-store/requests'
import { createQueryClient } from '#/renderer/lib/queries/query-client'
import { show } from '#tests/renderer/dom'

vi.mock('#/renderer/lib/server/supabase', () => ({}))
vi.mock('#/renderer/lib/media-store/requests', () => ({ signPaths: vi.fn() }))

const SOURCE = {
  kind: 'stored',
  thumbhash: null,
  sizes: [{ path: 'ada/lake.webp', width: 3, use: 'grid' }],
} as const

let signed = 0

beforeEach(() => {
  signed = 0
  vi.mocked(signPaths).mockImplementation(async (paths) => {
    signed += 1
    return new Map(paths.map((path) => [path, { url: `https://x.test/${path}?${signed}`, isChecked: true }]))
  })
})

/** The address that the picture is loaded from, once it is this one. */
const expectLoadedFrom = (link: number) =>
  vi.waitFor(() =>
    expect(screen.getByRole('img', { name: 'A lake' }).getAttribute('src')).toBe(
      `https://x.test/ada/lake.webp?${link}`,
    ),
  )

test('MEDIA-04 a picture whose link has expired is loaded with a new link, once', async () => {
  const handleBroken = vi.fn()
  const picture = <Picture source={SOURCE} alt="A lake" sizes="3px" fit="cover" onBroken={handleBroken} />
  show(picture, { client: createQueryClient() })
  await expectLoadedFrom(1)
  fireEvent.error(screen.getByRole('img', { name: 'A lake' }))
  await expectLoadedFrom(2)
  expect(handleBroken).not.toHaveBeenCalled()

  fireEvent.error(screen.getByRole('img', { name: 'A lake' }))
  expect(handleBroken).toHaveBeenCalledOnce()
  expect(signed).toBe(2)
})
