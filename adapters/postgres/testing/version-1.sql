--
-- PostgreSQL database dump
--

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: pets; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.pets (
    id bigint NOT NULL,
    name text NOT NULL,
    category_id bigint NOT NULL,
    status text,
    CONSTRAINT pets_status_check CHECK ((status = ANY (ARRAY['available'::text, 'pending'::text, 'sold'::text])))
);

--
-- Name: TABLE pets; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.pets IS 'pet-adoption-service schema 1';

--
-- Name: pets_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.pets ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.pets_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    MAXVALUE 9007199254740991
    CACHE 1
);

--
-- Data for Name: pets; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.pets OVERRIDING SYSTEM VALUE VALUES (1, 'Rex', 1, 'available');
INSERT INTO public.pets OVERRIDING SYSTEM VALUE VALUES (2, 'Zoë 🐕‍🦺', 9223372036854775807, 'pending');
INSERT INTO public.pets OVERRIDING SYSTEM VALUE VALUES (3, '"Rex" ''O\''Neill''', -9223372036854775808, 'sold');
INSERT INTO public.pets OVERRIDING SYSTEM VALUE VALUES (4, 'Mia', 3, NULL);

--
-- Name: pets_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.pets_id_seq', 5, true);

--
-- Name: pets pets_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pets
    ADD CONSTRAINT pets_pkey PRIMARY KEY (id);

--
-- Name: pets_by_status; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX pets_by_status ON public.pets USING btree (status, id);

--
-- PostgreSQL database dump complete
--
