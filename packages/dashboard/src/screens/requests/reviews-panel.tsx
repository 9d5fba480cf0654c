import { MessageSquare, ThumbsDown, ThumbsUp } from 'lucide-react'
import { useState } from 'react'
import { useWrite } from '../../api/use-api.ts'
import { Button } from '../../components/button.tsx'
import { TextArea } from '../../components/field.tsx'
import { Panel } from '../../components/panel.tsx'
import { FormProblem } from '../../components/states.tsx'
import { Age } from '../../components/time.tsx'
import { useMe } from '../../session/session.ts'
import { describeWhyNotReview, type ChangeRequest } from './describe-request.ts'
import { isWaiting } from './states.ts'

type Review = ChangeRequest['reviews'][number]

interface ReviewsPanelProps {
  readonly request: ChangeRequest
}

/** Shows what people say about a request, in their order, and takes what the person says. */
export function ReviewsPanel({ request }: ReviewsPanelProps) {
  const { reviews, may } = request
  const why = describeWhyNotReview(request)
  return (
    <Panel title="Reviews">
      <div className="flex flex-col gap-4">
        {reviews.length === 0 ? (
          <p className="text-muted">
            {isWaiting(request) ? 'Nobody has said anything yet.' : 'Nobody said anything.'}
          </p>
        ) : (
          <ol aria-label="Reviews" className="divide-y divide-line rounded-lg border border-line">
            {reviews.map((review) => (
              <ReviewItem key={`${review.member.id} ${review.at}`} review={review} />
            ))}
          </ol>
        )}
        {why !== undefined && <p className="text-muted">{why}</p>}
        {may.review && <ReviewForm request={request} />}
      </div>
    </Panel>
  )
}

const reviewStyles = {
  approve: { word: 'approved', icon: ThumbsUp, color: 'text-ok' },
  decline: { word: 'declined', icon: ThumbsDown, color: 'text-bad' },
  comment: { word: 'commented', icon: MessageSquare, color: 'text-muted' },
} as const

function ReviewItem({ review }: { readonly review: Review }) {
  const { member, verdict, text, revision, counts, at } = review
  const { word, icon: Icon, color } = reviewStyles[verdict]
  return (
    <li className="flex flex-col gap-1 px-3 py-2">
      <p className="flex flex-wrap items-center gap-x-2">
        <Icon aria-hidden size={14} className={`shrink-0 ${color}`} />
        <span className="min-w-0 wrap-anywhere">
          <bdi className="font-medium">{member.name}</bdi> {word}
        </span>
        <span className="text-sm text-muted">
          <Age at={at} />
          {verdict !== 'comment' && !counts && `, no longer counts (revision ${revision})`}
        </span>
      </p>
      {text !== '' && <p className="wrap-anywhere whitespace-pre-wrap">{text}</p>}
    </li>
  )
}

/** Takes a review. The last one of a person counts, and a comment takes a decline back. */
function ReviewForm({ request }: ReviewsPanelProps) {
  const [text, setText] = useState('')
  const review = useWrite('POST /organizations/{org_id}/change-requests/{request_id}/reviews')
  const own = useOwnReview(request)
  const { id, revision } = request
  const send = (verdict: Review['verdict']) =>
    review.mutate({
      params: { request_id: id },
      body: { revision, verdict, ...(text.trim() !== '' && { text: text.trim() }) },
      // Keeps what is typed for the next one in the meantime.
      onSuccess: () => setText((typed) => (typed === text ? '' : typed)),
    })
  const { isPending } = review
  return (
    <div className="flex max-w-2xl flex-col gap-3">
      <TextArea
        label="Your review (optional)"
        rows={3}
        maxLength={2000}
        value={text}
        error={review.error?.errorOf('/text')}
        onChange={({ target }) => setText(target.value)}
      />
      <FormProblem problem={review.error} fields={['/text']} />
      <div className="flex flex-wrap gap-2">
        {own !== 'approve' && (
          <Button
            variant="primary"
            icon={ThumbsUp}
            pending={isPending}
            onClick={() => send('approve')}
          >
            Approve
          </Button>
        )}
        {own !== 'decline' && (
          <Button icon={ThumbsDown} pending={isPending} onClick={() => send('decline')}>
            Decline
          </Button>
        )}
        <Button
          icon={MessageSquare}
          pending={isPending}
          disabled={own !== 'decline' && text.trim() === ''}
          onClick={() => send('comment')}
        >
          {own === 'decline' ? 'Take the decline back' : 'Comment'}
        </Button>
      </div>
    </div>
  )
}

/** Returns what the person has decided, if that counts. */
function useOwnReview({ reviews }: ChangeRequest): 'approve' | 'decline' | undefined {
  const me = useMe().data?.id
  const verdict = reviews.findLast(({ member, counts }) => member.id === me && counts)?.verdict
  return verdict === 'comment' ? undefined : verdict
}
