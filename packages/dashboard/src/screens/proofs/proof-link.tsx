import type { Change } from '@signalbox/contract/rest'
import { Link } from '@tanstack/react-router'
import { useEffect, useReducer } from 'react'
import { useRead } from '../../api/use-api.ts'
import { Badge, type Tone } from '../../components/badge.tsx'
import { useOrganization } from '../../session/organization.ts'
import { describeProof, nameProof, type ProofSummary, type ProofWords } from './describe-proof.ts'
import { ReadingsLine } from './readings-line.tsx'
import { limitOf, useSignals } from './use-signals.ts'

/** Returns how a proof stands now. The time that is left is counted down while it is shown. */
export function useProofWords(proof: ProofSummary): ProofWords {
  return describeProof(proof, useNow(proof.state === 'watching'))
}

/** Returns the time. While something counts down, it is read every ten seconds. */
function useNow(isCounting: boolean): number {
  const [, tick] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    if (!isCounting) return undefined
    const timer = setInterval(tick, 10_000)
    return () => clearInterval(timer)
  }, [isCounting])
  return Date.now()
}

const colors: Readonly<Record<Tone, string>> = {
  neutral: 'text-muted',
  ok: 'text-ok',
  bad: 'text-bad',
  warn: 'text-warn',
  info: 'text-info',
}

interface ProofLinkProps {
  readonly proof: ProofSummary
  /** Says whether one or two words are enough: the sentence is in its tooltip. */
  readonly isShort?: boolean
}

/** Links to a proof by how it stands. Example: `Unproven, 12 min left`. */
export function ProofLink({ proof, isShort = false }: ProofLinkProps) {
  const { slug } = useOrganization()
  const { word, sentence, tone, icon: Icon } = useProofWords(proof)
  const { schemaId, schema, version, environment } = proof.subject
  return (
    <Link
      to="/$org/history"
      params={{ org: slug }}
      search={{ schema: schemaId, proof: proof.id }}
      className={`inline-flex min-h-7 min-w-0 items-center gap-1.5 ${colors[tone]}`}
      title={`${schema} v${version} in ${environment}: ${sentence}`}
    >
      <Icon aria-hidden size={14} className="shrink-0" />
      <span className="min-w-0 wrap-anywhere">{isShort ? word : sentence}</span>
    </Link>
  )
}

interface ProofOfChangeProps {
  readonly proof: NonNullable<NonNullable<Change['configuration']>['proof']>
  readonly schemaId: string
}

/** Links to the proof of a change on the timeline, in one or two words. The reason is in its tooltip. */
export function ProofOfChange({ proof, schemaId }: ProofOfChangeProps) {
  const { slug } = useOrganization()
  const { id, reason, notRestored } = proof
  const { word, tone, icon } = nameProof(
    {
      ...proof,
      isRestored: proof.restoredVersions.length > 0,
      isPartial: notRestored !== null,
    },
    useNow(proof.state === 'watching'),
  )
  return (
    <Link
      to="/$org/history"
      params={{ org: slug }}
      search={{ schema: schemaId, proof: id }}
      className="inline-flex min-h-7 items-center"
      title={notRestored ?? reason ?? undefined}
    >
      <Badge tone={tone} icon={icon}>
        {word}
      </Badge>
    </Link>
  )
}

/** Marks a cell whose last change is watched. The line below the grid has the link. */
export function ProofMark({ proof }: Pick<ProofLinkProps, 'proof'>) {
  const { sentence, icon: Icon, tone } = useProofWords(proof)
  return (
    <span role="img" aria-label={sentence} title={sentence} className={`ml-auto ${colors[tone]}`}>
      <Icon aria-hidden size={14} />
    </span>
  )
}

/** Links to a proof, with its readings as a small line beside it. It reads them, so it stands where one proof is looked at. */
export function ProofWithReadings({ proof }: Pick<ProofLinkProps, 'proof'>) {
  const { signals } = useSignals()
  const { data } = useRead('GET /organizations/{org_id}/proofs/{proof_id}', {
    params: { proof_id: proof.id },
  })
  // The one that says most: whose readings are bad, or else the first.
  const [worst] = proof.signals.toSorted((one, other) => other.bad - one.bad)
  return (
    <span className="inline-flex max-w-full flex-wrap items-center gap-x-3">
      <ProofLink proof={proof} />
      {worst !== undefined && (
        <ReadingsLine
          name={worst.name}
          readings={(data?.readings ?? []).filter(({ signal }) => signal === worst.id).slice(-30)}
          limit={limitOf(signals?.find(({ id }) => id === worst.id)?.spec)}
        />
      )}
    </span>
  )
}
