import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { PlaceField } from '#/renderer/components/PlaceField'
import { createQueryClient } from '#/renderer/lib/queries/query-client'
import { fill, settle, show } from '#tests/renderer/dom'
import { type FakeServer, fakeServer } from '#tests/renderer/fake-server'

const PLACE = 'Lagoa do Fogo'

let server: FakeServer

function Form() {
  const [value, setValue] = useState('')
  return <PlaceField value={value} onChange={setValue} readOnly={false} />
}

const field = () => screen.getByRole('combobox', { name: 'Location' }) as HTMLInputElement
const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent)
const isListed = () => vi.waitFor(() => expect(options()).toEqual([PLACE]))

async function type(text: string): Promise<void> {
  await userEvent.clear(field())
  await userEvent.type(field(), text)
}

beforeEach(() => {
  server = fakeServer()
  server.on('POST search_topics', () => [
    { kind: 'hashtag', topic: 'lagoa', label: 'lagoa' },
    { kind: 'place', topic: PLACE, label: PLACE },
  ])
  show(<Form />, { client: createQueryClient() })
})

test('FEED-22 CREATE-01 the location suggests places, by keyboard and pointer', async () => {
  await type('fog')
  await isListed()
  expect(field().getAttribute('aria-expanded')).toBe('true')
  await userEvent.keyboard('{Escape}')
  expect(options()).toEqual([])
  expect(field().value).toBe('fog')

  await userEvent.type(field(), 'o')
  await isListed()
  await userEvent.keyboard('{ArrowDown}{Enter}')
  expect(field().value).toBe(PLACE)
  expect(options()).toEqual([])

  await type('lag')
  await isListed()
  await userEvent.click(screen.getByRole('option'))
  expect(field().value).toBe(PLACE)
  expect(options()).toEqual([])
})

test('FEED-22 CREATE-01 the location suggests places only for what is typed', async () => {
  let release = (): void => undefined
  server.on('POST search_topics', async ({ body }) => {
    await new Promise<void>((resolve) => {
      if ((body as { query: string }).query === 'lag') release = resolve
    })
    return [{ kind: 'place', topic: PLACE, label: PLACE }]
  })
  const isSearched = (query: string) =>
    vi.waitFor(() => expect(server.sent('POST search_topics')).toContainEqual({ query }))
  fill('Location', 'lag')
  await isSearched('lag')
  fill('Location', 'Elsewhere')
  release()
  await settle()
  expect(options()).toEqual([])
  await isSearched('Elsewhere')
  await settle()
  expect(options()).toEqual([])
})

test('CREATE-01 Enter takes no place that was not chosen with an arrow key', async () => {
  await type('fog')
  await isListed()
  await userEvent.keyboard('{Enter}')
  expect(field().value).toBe('fog')
})
