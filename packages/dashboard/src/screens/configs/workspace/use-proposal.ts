import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { showToast } from '../../../components/toasts.tsx'
import type { Matrix } from '../matrix.ts'
import type { StagedChanges } from '../staged-store.ts'
import { readProposal } from './read-proposal.ts'

interface ProposalOptions {
  readonly matrix: Matrix
  readonly changes: StagedChanges
  readonly mayWrite: boolean
  /** Opens the review, which takes the proposal out of the address. */
  readonly onReview: () => void
}

/** Stages what the link of an assistant's proposal holds, once, and opens its review. Nothing is saved. */
export function useProposal({ matrix, changes, mayWrite, onReview }: ProposalOptions): void {
  const { hash } = useLocation()
  const fragment = hash === '' || hash.startsWith('#') ? hash : `#${hash}`
  const staged = useRef('')
  useEffect(() => {
    const proposed = mayWrite ? readProposal(matrix, fragment) : undefined
    if (proposed === undefined || staged.current === fragment) return
    staged.current = fragment
    if (proposed.length === 0) {
      showToast({ text: 'The proposal no longer changes anything here.' })
      return
    }
    changes.put(proposed)
    onReview()
  }, [changes, fragment, matrix, mayWrite, onReview])
}
