// The promise that a call returns: of the answer's object, and on request of its headers too.

export interface WithResponse<T> {
  data: T;
  /** Its body has been read. */
  response: Response;
  /** Finds the request in the log of the server. */
  requestId: string | null;
  /** True when an earlier request with the same idempotency key had done this already. */
  replayed: boolean;
}

/** A promise of the answer's object. The request has begun when it is made. */
export class ApiPromise<T> extends Promise<T> {
  #answer: Promise<WithResponse<T>> | null = null;

  static of<T>(answer: Promise<WithResponse<T>>): ApiPromise<T> {
    const promise = new ApiPromise<T>((resolve, reject) => {
      answer.then(({ data }) => resolve(data), reject);
    });
    promise.#answer = answer;
    return promise;
  }

  /** The object with the headers that it came with: its request id, and whether it is the repeated answer of a key. */
  withResponse(): Promise<WithResponse<T>> {
    // The promise below rejects with the failure; this one is not looked at any more.
    this.catch(() => undefined);
    return this.#answer ?? Promise.reject(new TypeError('Not the promise of a call.'));
  }
}
