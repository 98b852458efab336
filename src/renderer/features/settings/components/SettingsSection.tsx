import { type ReactNode, useId } from 'react'

export function SettingsSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="rounded-lg border border-line bg-raised p-5 shadow-card">
      <h2 id={id} className="mb-3 font-semibold text-[15px]">
        {title}
      </h2>
      {children}
    </section>
  )
}
