import { useSearch } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { CircleCheck, CircleX } from 'lucide-react'
import type { AnswerOf } from '../../api/routes.ts'
import { useWrite } from '../../api/use-api.ts'
import { Button } from '../../components/button.tsx'
import { Checkbox, TextField } from '../../components/field.tsx'
import { Page } from '../../components/page.tsx'
import { Panel } from '../../components/panel.tsx'
import { fieldsOf } from '../../browser/read-fields.ts'
import { EmptyState, FormProblem } from '../../components/states.tsx'
import { Age } from '../../components/time.tsx'
import { managing } from '../keys/key-form.ts'

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
    claim.mutate({ body: { userCode }, onSuccess: setRequest })
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

interface DeviceRequestProps {
  readonly request: AnswerOf<'POST /device/claim'>
}

/** Shows the device that asks for access, with the buttons to approve and to deny. */
function DeviceRequest({ request }: DeviceRequestProps) {
  const [answer, setAnswer] = useState<'approved' | 'denied'>()
  const approve = useWrite('POST /device/approve')
  const deny = useWrite('POST /device/deny')
  const { userCode, deviceName } = request
  const body = { userCode }
  const [manages, setManages] = useState(false)

  if (answer === 'approved') {
    return (
      <EmptyState icon={CircleCheck} title="The device is signed in">
        Go back to it: you can close this page. Its token is listed in your account, where you can
        revoke it.
      </EmptyState>
    )
  }
  if (answer === 'denied') {
    return (
      <EmptyState icon={CircleX} title="Access was denied">
        The device cannot act as you. If you did not start this, there is nothing else to do.
      </EmptyState>
    )
  }
  return (
    <Panel title={`${deviceName} wants to act as you`}>
      <Facts request={request} />
      <p className="mb-4">
        Check that the device shows the same code. It gets a personal access token that acts as you.
      </p>
      <div className="mb-4">
        <Checkbox
          {...managing}
          checked={manages}
          onChange={(event) => setManages(event.currentTarget.checked)}
        />
      </div>
      <FormProblem problem={approve.error ?? deny.error} />
      <div className="flex flex-wrap gap-2">
        <Button
          variant="primary"
          pending={approve.isPending}
          onClick={() =>
            approve.mutate({ body: { ...body, manages }, onSuccess: () => setAnswer('approved') })
          }
        >
          Authorize
        </Button>
        <Button
          pending={deny.isPending}
          onClick={() => deny.mutate({ body, onSuccess: () => setAnswer('denied') })}
        >
          Deny
        </Button>
      </div>
    </Panel>
  )
}

function Facts({ request: { userCode, deviceName, ip, requestedAt } }: DeviceRequestProps) {
  return (
    <dl className="mb-4 grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1.5">
      <dt className="text-muted">Code</dt>
      <dd className="font-mono">{userCode}</dd>
      <dt className="text-muted">Device name</dt>
      <dd className="break-words">{deviceName}</dd>
      <dt className="text-muted">IP address</dt>
      <dd className="font-mono">{ip}</dd>
      <dt className="text-muted">Requested</dt>
      <dd>
        <Age at={requestedAt} />
      </dd>
    </dl>
  )
}
