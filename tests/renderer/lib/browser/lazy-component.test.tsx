import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { lazyComponent } from '#/renderer/lib/browser/lazy-component'

const code = { Greeting: ({ name }: { name: string }) => <p>Good morning, {name}</p> }

test('shows the fallback until the code is loaded, and loaded code immediately', async () => {
  const load = vi.fn(async () => code)
  const Greeting = lazyComponent(load, 'Greeting', <p>One moment</p>)
  expect(renderToStaticMarkup(<Greeting name="Ada" />)).toBe('<p>One moment</p>')
  await Greeting.load()
  expect(renderToStaticMarkup(<Greeting name="Ada" />)).toBe('<p>Good morning, Ada</p>')
  await Greeting.load()
  expect(load).toHaveBeenCalledTimes(1)
})

test('a fallback may depend on the props', async () => {
  const Greeting = lazyComponent(
    async () => code,
    'Greeting',
    ({ name }) => <p>One moment, {name}</p>,
  )
  expect(renderToStaticMarkup(<Greeting name="Ada" />)).toBe('<p>One moment, Ada</p>')
  await Greeting.load()
  expect(renderToStaticMarkup(<Greeting name="Ada" />)).toBe('<p>Good morning, Ada</p>')
})

test('loads again after a failure when it is requested again', async () => {
  const load = vi.fn(async () => code).mockRejectedValueOnce(new TypeError('Failed to fetch'))
  const Greeting = lazyComponent(load, 'Greeting')
  await expect(Greeting.load()).rejects.toThrow('Failed to fetch')
  expect(renderToStaticMarkup(<Greeting name="Ada" />)).toBe('')
  await Greeting.load()
  expect(renderToStaticMarkup(<Greeting name="Ada" />)).toBe('<p>Good morning, Ada</p>')
})
