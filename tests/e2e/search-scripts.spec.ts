import { randomUUID } from 'node:crypto'
import { startConversation, write } from './support/conversations'
import { insertPosts } from './support/posts'
import { expect, test } from './support/test'

/** A word of Cyrillic letters that no other test uses. */
function rareWord(): string {
  const letters = 'бвгджзклмнпрст'
  const digits = [...randomUUID().replaceAll('-', '').slice(0, 10)].map((digit) => Number.parseInt(digit, 16))
  return digits.map((digit) => `${letters[digit % letters.length]}а`).join('')
}

test('ACC-04 members, mentions, messages and places are found without marks and case, and the match is marked', async ({
  page,
  member,
  other,
}) => {
  const word = rareWord()
  // Decomposed, as macOS writes names of files; the app and the server store it composed.
  const name = `Алёна ${word}й`.normalize('NFD')
  await other.api.from('profiles').update({ full_name: name }).eq('id', other.id).throwOnError()
  const { data: stored } = await other.api.from('profiles').select('full_name').eq('id', other.id).single()
  expect(stored?.full_name).toBe(name.normalize('NFC'))
  const conversation = await startConversation(other, member)
  await write(other, conversation, `İİİ Das ist die ${word} Straße von heute`)
  const [post = ''] = await insertPosts(other, 1)
  await other.api
    .from('posts')
    .update({ location: `Café ${word}` })
    .eq('id', post)
    .throwOnError()

  await page.goto('/create')
  const field = page.getByPlaceholder("What's on your mind?")
  await field.pressSequentially(`С @${word}и`)
  const options = page.getByRole('listbox', { name: 'Members' }).getByRole('option')
  await expect(options).toHaveText([new RegExp(other.username)])
  await page.keyboard.press('Enter')
  await expect(field).toHaveValue(`С @${other.username} `)
  await field.fill('')

  const box = page.getByRole('combobox', { name: 'Search' })
  await box.fill(`АЛЕНА ${word.toUpperCase()}И`)
  await expect(page.getByRole('option').first()).toHaveText(new RegExp(other.username))
  await box.fill(`CAFE ${word.toUpperCase()}`)
  await expect(page.getByRole('option').first()).toHaveText(new RegExp(`Café ${word}`))

  await page.goto('/messages')
  await page.getByRole('searchbox', { name: 'Search messages' }).fill(`${word} STRASSE`)
  const found = page.getByRole('list', { name: 'Found messages' }).getByRole('link')
  await expect(found).toHaveCount(1)
  await expect(found.locator('mark')).toHaveText(`${word} Straße`)
})
