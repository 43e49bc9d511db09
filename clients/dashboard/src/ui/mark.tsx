// The mark: a post horn.

export function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg
      className="ph-mark"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M2 8h10a5 5 0 1 1-5 5 5 5 0 0 1 5-5h4l6-4v8l-6-4" />
    </svg>
  );
}
