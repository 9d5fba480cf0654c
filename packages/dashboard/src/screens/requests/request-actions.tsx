import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useWrite } from '../../api/use-api.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { RowMenu } from '../../components/row-menu.tsx'
import { FormProblem } from '../../components/states.tsx'
import { showToast } from '../../components/toasts.tsx'
import type { ChangeRequest } from './describe-request.ts'
import type { RequestSearch } from './search.ts'

interface RequestActionsProps {
  readonly request: ChangeRequest
}

/** Offers what the person may do with a request beside reviewing it. */
export function RequestActions({ request }: RequestActionsProps) {
  const navigate = useNavigate({ from: '/$org/requests/$requestId' })
  const [isWithdrawing, setWithdrawing] = useState(false)
  const { id, number, may, applyAt } = request
  const open = (panel: NonNullable<RequestSearch['panel']>) =>
    void navigate({ search: { panel }, replace: true })
  return (
    <>
      {may.apply && <ApplyButton request={request} />}
      <RowMenu
        label={`Actions for request ${number}`}
        items={[
          ...(may.revise ? [{ label: 'Edit title and reason', onSelect: () => open('edit') }] : []),
          ...(may.withdraw
            ? [
                {
                  label: applyAt === null ? 'Schedule' : 'Change the time',
                  onSelect: () => open('schedule'),
                },
                { label: 'Withdraw', danger: true, onSelect: () => setWithdrawing(true) },
              ]
            : []),
          ...(may.override
            ? [
                {
                  label: 'Apply without approvals',
                  danger: true,
                  onSelect: () => open('override'),
                },
              ]
            : []),
        ]}
      />
      {isWithdrawing && <WithdrawRequest id={id} onClose={() => setWithdrawing(false)} />}
    </>
  )
}

function ApplyButton({ request: { id } }: RequestActionsProps) {
  const apply = useWrite('POST /organizations/{org_id}/change-requests/{request_id}/apply')
  return (
    <>
      <FormProblem problem={apply.error} />
      <Button
        variant="primary"
        pending={apply.isPending}
        onClick={() =>
          apply.mutate({
            params: { request_id: id },
            onSuccess: () => showToast({ text: 'Applied. The change is live.' }),
          })
        }
      >
        Apply now
      </Button>
    </>
  )
}

interface WithdrawRequestProps {
  readonly id: string
  readonly onClose: () => void
}

function WithdrawRequest({ id, onClose }: WithdrawRequestProps) {
  const withdraw = useWrite('POST /organizations/{org_id}/change-requests/{request_id}/withdraw')
  return (
    <ConfirmDialog
      title="Withdraw this request?"
      action="Withdraw"
      write={withdraw}
      onClose={onClose}
      onConfirm={() => withdraw.mutate({ params: { request_id: id }, onSuccess: onClose })}
    >
      Nothing changes, and nobody can approve it any more. Secret values that it holds are
      destroyed.
    </ConfirmDialog>
  )
}
