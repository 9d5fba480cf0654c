import { RefreshCw } from 'lucide-react'
import { Button } from '../../../components/button.tsx'
import { useOrganization } from '../../../session/organization.ts'
import type { SyncControl } from './use-sync.ts'

/** Renders the button that fetches deployments from the code host. Renders nothing without the permission. */
export function SyncButton({ control }: { readonly control: SyncControl }) {
  const { can } = useOrganization()
  if (!can('developer')) return null
  return (
    <Button icon={RefreshCw} pending={control.isPending} onClick={control.start}>
      Sync now
    </Button>
  )
}
