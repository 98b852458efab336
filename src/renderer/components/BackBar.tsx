import { ArrowLeft } from 'lucide-react'
import { useNavigate } from 'react-router-dom'
import { texts } from '#/renderer/lib/texts'
import { IconButton } from './IconButton'

export function BackBar({ title }: { title: string }) {
  const navigate = useNavigate()
  return (
    <div className="mb-5 flex items-center gap-1.5">
      <IconButton label={texts.back} onClick={() => navigate(-1)} className="-ms-2 rtl:-scale-x-100">
        <ArrowLeft />
      </IconButton>
      <h1 className="font-display text-[27px] leading-tight">{title}</h1>
    </div>
  )
}
