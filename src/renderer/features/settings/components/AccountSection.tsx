import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { Button } from '#/renderer/components/Button'
import { texts } from '#/renderer/lib/texts'
import { DownloadData } from '../download/DownloadData'
import { DeleteAccountDialog } from './AccountDialogs'
import { SettingsSection } from './SettingsSection'

export function AccountSection() {
  const [isAsking, setIsAsking] = useState(false)
  return (
    <SettingsSection title={texts.settings.account}>
      <Link
        to="/edit-profile"
        className="-mx-2.5 flex items-center justify-between gap-5 rounded-md px-2.5 py-2 font-medium transition-colors duration-150 hover:bg-sunk"
      >
        {texts.settings.editProfile}
        <ChevronRight aria-hidden="true" className="size-4.5 text-quiet rtl:-scale-x-100" />
      </Link>
      <DownloadData />
      <div className="mt-3 flex flex-wrap items-center justify-between gap-x-5 gap-y-2 border-line border-t pt-4">
        <p className="text-[13.5px] text-quiet">{texts.settings.deleteAccountBody}</p>
        <Button variant="danger" className="-mx-4.5" onClick={() => setIsAsking(true)}>
          {texts.settings.deleteAccount}
        </Button>
      </div>
      {isAsking && <DeleteAccountDialog onClose={() => setIsAsking(false)} />}
    </SettingsSection>
  )
}
