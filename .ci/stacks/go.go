// The interface on Go's net/http and encoding/json. A token bucket that drips, for each key.
package main

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

type newPet struct {
	Name       *string `json:"name"`
	CategoryID *int64  `json:"categoryId"`
	Status     *string `json:"status,omitempty"`
}

type pet struct {
	ID int64 `json:"id"`
	newPet
}

type bucket struct {
	limit, tokens, perSecond float64
	at                       time.Time
}

type apiError struct {
	Status  int    `json:"status"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

var (
	flaw     = os.Getenv("FLAW")
	statuses = map[string]bool{"available": true, "pending": true, "sold": true}
	lock     sync.Mutex
	pets     []pet
	buckets  = map[string]*bucket{
		os.Getenv("API_KEY"):      {limit: 1000, tokens: 1000, perSecond: 1000.0 / 60},
		os.Getenv("THROTTLE_KEY"): {limit: 12, tokens: 12, perSecond: 12.0 / 60},
		"":                        {limit: 60, tokens: 60, perSecond: 1},
	}
)

func main() {
	mux := http.NewServeMux()
	mux.HandleFunc("/v1/pets", guarded(collection))
	mux.HandleFunc("/v1/pets/", guarded(item))
	if flaw != "mux-404" {
		mux.HandleFunc("/", guarded(func(w http.ResponseWriter, r *http.Request) { refuse(w, 404, "not_found", "no such path") }))
	}
	http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), mux)
}

func guarded(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		if !strings.EqualFold(scheme, "Bearer") || buckets[token] == nil {
			token = ""
		}
		if token == "" && flaw == "early-401" {
			http.Error(w, `{"code":"unauthorized","message":"a key is required","status":401}`, 401)
			return
		}
		if !charge(w, buckets[token]) {
			return
		}
		if token == "" {
			w.Header().Set("WWW-Authenticate", `Bearer realm="pets"`)
			refuse(w, 401, "unauthorized", "a key is required")
			return
		}
		next(w, r)
	}
}

func charge(w http.ResponseWriter, b *bucket) bool {
	lock.Lock()
	defer lock.Unlock()
	now := time.Now()
	b.tokens = math.Min(b.limit, b.tokens+now.Sub(b.at).Seconds()*b.perSecond)
	b.at = now
	allowed := b.tokens >= 1
	if allowed {
		b.tokens--
	}
	full := now.Add(time.Duration((b.limit - b.tokens) / b.perSecond * float64(time.Second)))
	// Canonical names: Go writes X-Ratelimit-Limit, which is the same header.
	w.Header().Set("X-RateLimit-Limit", strconv.Itoa(int(b.limit)))
	w.Header().Set("X-RateLimit-Remaining", strconv.Itoa(int(b.tokens)))
	w.Header().Set("X-RateLimit-Reset", strconv.FormatInt(full.Unix()+1, 10))
	if !allowed {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil((1-b.tokens)/b.perSecond))))
		refuse(w, 429, "rate_limited", "wait")
	}
	return allowed
}

func collection(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		list(w, r)
	case http.MethodPost:
		create(w, r)
	default:
		refuse(w, 405, "method_not_allowed", "GET or POST")
	}
}

func list(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	limit := 20
	if text := query.Get("limit"); text != "" {
		asked, err := strconv.Atoi(text)
		if err != nil || asked < 1 || asked > 100 {
			refuse(w, 400, "limit", "limit is a number from 1 to 100")
			return
		}
		limit = asked
	}
	status := query.Get("status")
	lock.Lock()
	defer lock.Unlock()
	var page []pet
	if flaw != "nil-slice" {
		page = []pet{}
	}
	for _, p := range pets {
		if len(page) < limit && (status == "" || p.Status != nil && *p.Status == status) {
			page = append(page, p)
		}
	}
	write(w, 200, page)
}

func item(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.ParseInt(strings.TrimPrefix(r.URL.Path, "/v1/pets/"), 10, 64)
	lock.Lock()
	defer lock.Unlock()
	if err != nil || id < 1 || id > int64(len(pets)) {
		refuse(w, 404, "not_found", "no such animal")
		return
	}
	write(w, 200, pets[id-1])
}

func create(w http.ResponseWriter, r *http.Request) {
	var sent newPet
	body, _ := io.ReadAll(io.LimitReader(r.Body, 65536))
	decoder := json.NewDecoder(bytes.NewReader(body))
	err := decoder.Decode(&sent)
	_, more := decoder.Token()
	if err != nil || more != io.EOF && flaw != "trailing" {
		refuse(w, 400, "body", "the body is one JSON object")
		return
	}
	if flaw == "zero-values" {
		sent.Name, sent.CategoryID = orZero(sent.Name), orZero(sent.CategoryID)
	}
	var members map[string]json.RawMessage
	json.Unmarshal(body, &members)
	_, given := members["status"]
	if sent.Name == nil || sent.CategoryID == nil || strings.Contains(*sent.Name, "\x00") {
		refuse(w, 400, "pet", "name and categoryId are required")
		return
	}
	if given && (sent.Status == nil && flaw != "null-is-absent" || sent.Status != nil && !statuses[*sent.Status]) {
		refuse(w, 400, "status", "status is available, pending or sold")
		return
	}
	lock.Lock()
	defer lock.Unlock()
	created := pet{ID: int64(len(pets)) + 1, newPet: sent}
	pets = append(pets, created)
	write(w, 201, created)
}

func orZero[T any](value *T) *T {
	if value == nil {
		return new(T)
	}
	return value
}

func refuse(w http.ResponseWriter, status int, code, message string) {
	write(w, status, apiError{status, code, message})
}

func write(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body) // it escapes &, < and >, and ends with a line feed: both are JSON
}
