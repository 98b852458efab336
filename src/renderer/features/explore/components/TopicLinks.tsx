import { useId } from 'react'
import { Link } from 'react-router-dom'
import { hashtagPath } from '#/renderer/lib/content/topics'

interface TopicLinksProps {
  title: string
  topics: readonly { label: string; path: string }[]
}

/** Links to hashtags or places; nothing if there are none. */
export function TopicLinks({ title, topics }: TopicLinksProps) {
  const heading = useId()
  if (topics.length === 0) return null
  return (
    <section aria-labelledby={heading} className="mt-6">
      <h2 id={heading} className="mb-2.5 font-semibold text-[15px]">
        {title}
      </h2>
      <ul className="flex flex-wrap gap-2">
        {topics.map(({ label, path }) => (
          <li key={path} className="max-w-full">
            <Link
              to={path}
              dir="auto"
              className="block truncate rounded-full border border-edge bg-raised px-3.5 text-[14px] leading-8 hover:bg-sunk"
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface HashtagsProps {
  title: string
  /** Without '#'. */
  tags: readonly string[]
}

/** Links to hashtags; nothing if there are none. */
export function Hashtags({ title, tags }: HashtagsProps) {
  return (
    <TopicLinks title={title} topics={tags.map((tag) => ({ label: `#${tag}`, path: hashtagPath(tag) }))} />
  )
}
