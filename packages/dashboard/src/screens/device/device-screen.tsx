import { useSearch } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import type { AnswerOf } from '../../api/routes.ts'
import { useWrite } from '../../api/use-api.ts'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { Page } from '../../components/page.tsx'
import { Panel } from '../../components/panel.tsx'
import { fieldsOf } from '../../browser/read-fields.ts'
import { FormProblem } from '../../components/states.tsx'
import { DeviceRequest } from './device-request.tsx'

type Request = AnswerOf<'POST /device/claim'>

/**
 * Approves the sign-in of a command line without a browser (RFC 8628): the person enters its code, sees the device,
 * and approves or denies.
 */
export function DeviceScreen() {
  const { user_code } = useSearch({ from: '/person/device' })
  const [request, setRequest] = useState<Request>()
  const claim = useWrite('POST /device/claim')

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const userCode = fieldsOf(event.currentTarget)('userCode')
    claim.mutate({ body: { userCode } }, { onSuccess: setRequest })
  }
  const isUnknown = claim.error?.status === 404
  return (
    <Page title="Authorize a device">
      {request === undefined ? (
        <Panel title="Device code">
          <form className="flex max-w-md flex-col gap-4" onSubmit={submit}>
            <FormProblem problem={isUnknown ? null : claim.error} />
            <TextField
              label="Code shown on the device"
              name="userCode"
              defaultValue={user_code ?? ''}
              placeholder="WDJB-MJHT"
              autoComplete="off"
              spellCheck={false}
              autoFocus
              required
              help="Continue only if you started this sign-in yourself, for example with signalbox login."
              error={
                isUnknown
                  ? 'No device waits with this code. Check it, or start again on the device.'
                  : undefined
              }
            />
            <div>
              <Button type="submit" variant="primary" pending={claim.isPending}>
                Continue
              </Button>
            </div>
          </form>
        </Panel>
      ) : (
        <DeviceRequest request={request} />
      )}
    </Page>
  )
}
