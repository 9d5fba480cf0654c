import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useWrite } from '../../api/use-api.ts'
import { Button } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Panel } from '../../components/panel.tsx'
import { useOrganization } from '../../session/organization.ts'

/** Exports an organization, and deletes it. */
export function DangerPanel() {
  const { name, slug, params } = useOrganization()
  const remove = useWrite('DELETE /organizations/{org_id}')
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  return (
    <Panel title="Delete the organization">
      <div className="flex max-w-2xl flex-col gap-3">
        <p>
          Access ends immediately for everybody and every key. The server destroys the data seven
          days later. An operator of this server can export a copy first:
        </p>
        <CodeBlock code="npx --no-install signalbox export backup.signalbox" />
        <div>
          <Button variant="danger" onClick={() => setAsking(true)}>
            <span className="min-w-0 wrap-anywhere">Delete {name}</span>
          </Button>
        </div>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={`Delete ${name}?`}
          action="Delete the organization"
          typed={slug}
          write={remove}
          onClose={() => setAsking(false)}
          onConfirm={() =>
            remove.mutate({ params }, { onSuccess: () => void navigate({ to: '/orgs' }) })
          }
        >
          Applications lose their configuration, and deployments their records. An operator of this
          server can restore everything within seven days.
        </ConfirmDialog>
      )}
    </Panel>
  )
}
