import { RefreshCw } from 'lucide-react'
import { Button } from '../../../components/button.tsx'
import { useOrganization } from '../../../session/organization.ts'
import { useIsMissing } from '../../../session/use-provider-name.ts'
import type { SyncControl } from './use-sync.ts'

/**
 * Renders the button that fetches deployments from the code host. Renders nothing without the permission, and while no code host is
 * connected, which the checks of the list say together with how to connect one.
 */
export function SyncButton({ control }: { readonly control: SyncControl }) {
  const { can } = useOrganization()
  const isMissing = useIsMissing('codehost')
  if (isMissing || !can('developer')) return null
  return (
    <Button icon={RefreshCw} pending={control.isPending} onClick={control.start}>
      Sync now
    </Button>
  )
}
