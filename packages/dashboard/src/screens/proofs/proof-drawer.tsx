import { useState } from 'react'
import type { AnswerOf } from '../../api/routes.ts'
import { useRead } from '../../api/use-api.ts'
import { Button } from '../../components/button.tsx'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { Facts } from '../../components/facts.tsx'
import { Loaded } from '../../components/states.tsx'
import { Age, toExactTime } from '../../components/time.tsx'
import { PageLink } from '../../session/page-link.tsx'
import { StateBadge } from '../deployments/badges.tsx'
import { testRunVariants } from '../deployments/states.ts'
import { describeFailure, describeNoData, describeWatch } from './describe-terms.ts'
import { useProofWords } from './proof-link.tsx'
import { countReadings, ReadingsLine } from './readings-line.tsx'
import { StopProofDialog } from './stop-proof-dialog.tsx'
import { limitOf, useSignals } from './use-signals.ts'

/** Describes a proof with its readings. */
type Proof = AnswerOf<'GET /organizations/{org_id}/proofs/{proof_id}'>

interface ProofDrawerProps {
  readonly proofId: string
  readonly onClose: () => void
}

/** Shows the watch over a change: what its signals say, what ends it, and why it ended as it did. */
export function ProofDrawer({ proofId, onClose }: ProofDrawerProps) {
  const proof = useRead('GET /organizations/{org_id}/proofs/{proof_id}', {
    params: { proof_id: proofId },
  })
  const [isStopping, setStopping] = useState(false)
  return (
    <>
      <Dialog shape="drawer" title="Proof of a change" onClose={onClose}>
        <Loaded query={proof}>
          {(data) => <ProofContent proof={data} onStop={() => setStopping(true)} />}
        </Loaded>
      </Dialog>
      {isStopping && <StopProofDialog proofId={proofId} onClose={() => setStopping(false)} />}
    </>
  )
}

interface ProofProps {
  readonly proof: Proof
}

function ProofContent({ proof, onStop }: ProofProps & { readonly onStop: () => void }) {
  const { sentence, icon: Icon } = useProofWords(proof)
  return (
    <>
      <p role="status" className="flex items-start gap-2 font-medium">
        <Icon aria-hidden size={16} className="mt-0.5 shrink-0" />
        <span className="min-w-0 wrap-anywhere">{sentence}</span>
      </p>
      <ProofFacts proof={proof} />
      <SignalList proof={proof} />
      {proof.state === 'watching' && <Terms proof={proof} />}
      {proof.mayStop && (
        <DialogActions>
          <Button onClick={onStop}>Stop watching…</Button>
        </DialogActions>
      )}
    </>
  )
}

/** Says which change it is about, and what has become of it. */
function ProofFacts({ proof }: ProofProps) {
  const { subject, keys, startedAt, until, endedAt, waitsFor, state } = proof
  const { restoredVersions, notRestored, reason } = proof
  const { schemaId: schema, environment, version, versionId } = subject
  return (
    <Facts
      facts={{
        Change: (
          <PageLink to={{ page: 'history', search: { schema, version: versionId } }}>
            {subject.schema} v{version} in <bdi>{environment}</bdi>
          </PageLink>
        ),
        Keys: keys.length === 0 ? undefined : <span className="font-mono">{keys.join(', ')}</span>,
        'Watched since': <Age at={startedAt} />,
        'Proven at':
          state === 'watching' && waitsFor === null
            ? `${toExactTime(until)}, if nothing turns bad`
            : undefined,
        'Waits for':
          waitsFor === null ? undefined : (
            <PageLink to={{ page: 'history', search: { schema, proof: waitsFor } }}>
              the proof of a later change
            </PageLink>
          ),
        Ended: endedAt === null ? undefined : <Age at={endedAt} />,
        'Failed because':
          state === 'failed' && restoredVersions.length === 0 ? reason?.detail : undefined,
        'Restored by':
          restoredVersions.length === 0 ? undefined : (
            <ul>
              {restoredVersions.map((restored) => (
                <li key={restored.versionId}>
                  <PageLink
                    to={{ page: 'history', search: { schema, version: restored.versionId } }}
                  >
                    {subject.schema} v{restored.version} in <bdi>{restored.environment}</bdi>
                  </PageLink>
                </li>
              ))}
            </ul>
          ),
        'Not restored':
          notRestored === null || notRestored.keys.length === 0 ? undefined : (
            <span className="font-mono">{notRestored.keys.join(', ')}</span>
          ),
      }}
    />
  )
}

/** Lists the signals with what they said. */
function SignalList({ proof }: ProofProps) {
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-semibold">Signals</h3>
      <ul aria-label="Signals" className="divide-y divide-line rounded-lg border border-line">
        {proof.signals.map((signal) => (
          <SignalItem key={signal.id} signal={signal} proof={proof} />
        ))}
      </ul>
    </section>
  )
}

interface SignalItemProps extends ProofProps {
  readonly signal: Proof['signals'][number]
}

function SignalItem({ signal, proof }: SignalItemProps) {
  const { signals: known } = useSignals()
  const { id, name, kind, testRunId } = signal
  const own = proof.readings.filter((reading) => reading.signal === id)
  const { at, detail } = own.at(-1) ?? { at: '', detail: null }
  return (
    <li className="flex flex-col gap-1 px-3 py-2">
      <span className="flex flex-wrap items-center gap-x-4">
        <bdi className="min-w-0 flex-1 font-medium wrap-anywhere">{name}</bdi>
        <ReadingsLine
          name={name}
          readings={own.slice(-60)}
          limit={limitOf(known?.find((one) => one.id === id)?.spec)}
        />
      </span>
      <span className="text-sm text-muted">
        {kind !== 'tests' ? (
          countReadings(signal)
        ) : testRunId === null ? (
          'No test run was started for it.'
        ) : (
          <TestRun runId={testRunId} />
        )}
      </span>
      {detail !== null && (
        <span className="text-sm wrap-anywhere text-muted">
          It {detail}, <Age at={at} />.
        </span>
      )}
    </li>
  )
}

/** Shows how the test run stands that the change has started. */
function TestRun({ runId }: { readonly runId: string }) {
  const { data } = useRead('GET /organizations/{org_id}/test-runs/{run_id}', {
    params: { run_id: runId },
  })
  if (data === undefined) return '…'
  const { state, deploymentId } = data
  return (
    <span className="inline-flex flex-wrap items-center gap-x-3">
      <StateBadge variant={testRunVariants[state]} />
      {deploymentId !== null && (
        <PageLink to={{ page: 'deployment', params: { deploymentId } }}>
          Tests of the deployment
        </PageLink>
      )}
    </span>
  )
}

/** Says what ends it. */
function Terms({ proof: { terms } }: ProofProps) {
  const { nameOf } = useSignals()
  return (
    <section className="flex flex-col gap-1">
      <h3 className="font-semibold">What ends it</h3>
      <p className="wrap-anywhere">{describeWatch(terms, nameOf)}</p>
      <p className="text-muted">
        {describeFailure(terms)} {describeNoData(terms)}
      </p>
    </section>
  )
}
