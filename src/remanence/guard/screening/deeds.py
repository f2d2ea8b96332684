"""Words for what is ordered, by the part they play; written as in `phrases`.

Only forms in which something is ordered stand here: "ignore", not "ignores".
"""

from __future__ import annotations

DEEDS: dict[str, str] = {
    # to set aside
    "ignore": """ignore ignoring disregard disregarding forget neglect override overriding bypass bypassing
        discard drop erase pay_no_attention set_aside take_no_notice leave_aside throw_away abandon cancel
        overlook void nullify circumvent break_free unlearn skip_over do_away ignoriere ignoriert ignorieren
        vergiss vergesst vergessen missachte missachten verwirf umgehe ubergehe setze_dich ignorez ignorer oublie
        oubliez oublier neglige negligez ne_tiens_pas_compte ne_tenez_pas_compte ne_tenez_aucun_compte
        fais_abstraction ignora ignores ignoren ignorar olvida olvide olvidate olviden olvidar descarta descarte
        omite omita haz_caso_omiso dimentica dimenticate dimenticare ignorate ignorare trascura tralascia
        non_tenere_conto scordati esqueca esquece esquecam esquecer desconsidere desconsidera despreze игнорируй*
        проигнорируй* игнорировать забудь* забыть отбрось* отмени* не_обращай_внимания пренебреги* обойди*""",
    "prior": """previous prior earlier preceding foregoing existing original initial past former before previously
        so_far up_to_now until_now old vorherige* vorige* bisherige* obige* fruhere* vorangegangene* zuvor
        bestehende* ursprungliche* precedent* anterieur* ci_dessus d_avant initiales avant anterior* previas
        previos previa previo antes precedenti precedente antecedenti anteriores предыдущ* прежн* выше* ранее
        прошл* прежде исходн*""",
    "above": """above the_above everything_above all_above text_above everything_before before_this_line
        you_were_told you_have_been_told you_were_given told_before everything_you_know ci_dessus oben de_arriba
        mas_arriba sopra acima you_were_asked you_were_instructed you_have_been_asked you_have_been_given
        you_were_taught what_you_were you_were_doing were_you_given were_you_told precedes text_before
        preceding_text came_before up_to_here until_here up_to_this_point you_were_loaded you_were_set_up
        you_started_with""",
    "nothing": "nothing none nichts rien nada niente ничего",
    "counts": "counts matters applies valid binding relevant gilt compte importa vale",
    "rule": """instruction instructions rule rules guideline guidelines directive directives prompt prompts command
        commands orders constraint constraints restriction restrictions policy policies guardrail guardrails
        programming directions conditioning training protocol protocols safeguards safety limits limitations
        configuration context anweisung* regel* vorgabe* richtlinie* befehl* instruktion* einschrankung*
        beschrankung* kontext consigne* regle* restriction* contrainte* instruccion* regla* directri* ordenes
        indicacion* restriccion* limites istruzion* regol* direttiv* vincol* restrizion* ordini instruco* instrucao
        instrucoes regra* diretri* orden* restric* инструкц* указани* правил* команд* ограничени* предписани*
        директив* контекст* handbook playbook""",
    "obsolete": """obsolete void cancelled canceled null invalid outdated replaced superseded revoked
        no_longer_apply do_not_apply don_t_apply no_longer_valid lifted suspended withdrawn wrong expired
        no_longer_matter not_matter issued_by_mistake aufgehoben ungultig hinfallig obsoletes annule* annulees
        invalid* anulad* annullat* отменен* недействительн* deleted removed no_longer_count no_longer_counts
        no_longer_in_force""",
    "test_only": "sample_data only_a_test just_a_test was_a_test a_drill placeholder_text test_data just_an_example",
    "outrank": """has_priority_over priority_over come_second comes_second even_over over_the_user over_the_user_s
        takes_precedence_over take_precedence_over has_precedence_over outrank outranks overrides override
        supersedes supersede prevails_over have_priority_over hat_vorrang prevaut ersetzt_alle sobrescribe
        prevale_su важнее rank_it_above above_everything_else above_all_other above_all_others rank_above
        ranks_above takes_priority_over take_priority_over over_all_other over_any_other takes_its_place
        take_its_place takes_their_place replaces_your replaces_everything""",
    "whatever": """even_though meme_si aunque anche_se mesmo_que auch_wenn selbst_wenn даже_если whatever
        regardless regardless_of no_matter_what no_matter despite irrespective_of nothing_the even_if ungeachtet
        peu_importe sin_importar""",
    "follow": """follow obey adhere comply listen_to heed befolge folge suis suivez sigue siga segui следуй* слушай*
        do_what do_as""",
    "obey": """do_as haz_todo_lo_que fais_tout_ce fai_tutto faca_tudo tu_alles_was do_whatever obey obeys comply
        must_comply do_exactly_as do_what_this do_what_it_says do_as_i_say carry_out_every gehorche gehorchen
        befolge obeis obeissez obedece obedezca obbedisci obedeca подчиняйся подчиняться выполни* выполняй*""",
    "thisthing": """this_note this_paragraph this_text this_message this_line me this_section all_my_requests
        all_my all_requests any_requests my_requests my_every this_instruction these_instructions this_one
        these_instead the_following following the_next next this_list the_list_below list_below below
        every_request any_request every_instruction my_orders my_commands instead everything_the_page celles_ci
        ceci esto estas questo queste isto""",
    "task": """task tasks classification analysis translation question request job assignment aufgabe tache tarea
        compito tarefa задач* задани* frage fragen pregunta preguntas domanda domande pergunta perguntas вопрос*""",
    "said": """said says told dijo dice dit sagt gesagt detto disse сказал* wrote asked requests request wishes
        message messages wants""",
    # to be someone else
    "limits": """verbot* interdiction* prohibicion* divieti proibic* restriction restrictions restraints limits
        limitations filter filters guardrail guardrails safety ethical ethics censorship guidelines rules policy
        policies content_policy content_policies safety_check safety_checks constraints boundaries moral morals
        refusals safety_filter einschrankung* beschrankung* regeln grenzen zensur restriction* limite* censure
        filtre* regles restriccion* limites censura filtros reglas restrizioni limiti filtri regole restricoes
        regras restric* ограничени* фильтр* цензур* правил* запрет* moderation laws""",
    "aisafety": """safety_guideline safety_guidelines safety_restriction safety_restrictions safety_training
        safety_measures safety_filter safety_filters safety_filtering safety_features safety_protocols
        safety_rules safety_instructions safety_policies safety_systems safety_mechanisms safety_constraints
        safety_layer safety_settings content_policy content_policies content_filter content_filters
        content_filtering content_restrictions content_guidelines content_moderation ethical_constraints
        ethical_guidelines ethical_programming ethical_filtering ethical_limits ethical_rules ethical_restrictions
        ethical_boundaries moral_guidelines usage_policies usage_policy safety_warning safety_warnings guardrail
        guardrails censorship refusal_training alignment_training safety_checks sicherheitsrichtlinien
        sicherheitsregeln inhaltsrichtlinien ethische* consignes_de_securite regles_de_securite filtres_de_contenu
        normas_de_seguridad filtros_de_seguridad politicas_de_contenido linee_guida_etiche regole_di_sicurezza
        filtros_de_seguranca diretrizes_de_seguranca этически* правила_безопасности""",
    "unbound": """unrestricted unfiltered uncensored jailbroken jailbreak dan do_anything_now can_do_anything amoral
        unshackled no_longer_bound not_bound unbound never_refuse never_refuses cannot_refuse can_not_refuse
        must_not_refuse never_say_no no_filters do_anything anything_i_ask uneingeschrankt* unzensiert* ungefiltert*
        sans_filtre sin_censura sin_filtros senza_filtri senza_censura sem_filtros sem_censura nunca_te_niegas
        неограниченн* god_mode jailbreak_mode dan_mode unfiltered_mode unrestricted_mode evil opposite_of_your
        opposite_of_its evilbot evil_bot ignores_its ignores_all_rules no_rules whatever_it_is_given
        whatever_it_is_asked whatever_it_is_told never_aligned unaligned answers_anything answers_everything
        illegal_requests unethical corrupt""",
    "rogue": """hacker criminal scammer thief villain con_artist outlaw cybercriminal fraudster drug_dealer
        grandmother grandma deceased""",
    "freed": """never_refuse never_refuses cannot_refuse no_longer_bound not_bound_by not_have_to_abide freed_from
        free_from_all broken_free do_anything_now can_do_anything dan_mode god_mode unrestricted_mode
        unfiltered_mode uncensored_mode jailbreak_mode jailbroken unrestricted_ai unfiltered_ai evil_ai
        unethical_ai any_kind_of_content without_warning_the no_refusal sin_restricciones sans_restriction
        senza_restrizioni sem_restricoes ohne_einschrankungen без_ограничений""",
    "mode": """developer_mode dev_mode debug_mode admin_mode sudo_mode root_mode maintenance_mode god_mode
        entwicklermodus mode_developpeur modo_desarrollador modo_de_desarrollador modalita_sviluppatore
        modo_desenvolvedor modo_de_desenvolvedor режим_разработчика""",
    "without": """libre_de libre libero_da livre_de frei_von no without none never free_of free_from freed_from
        lacking not ohne keine* nicht sans aucun aucune sin ningun* senza nessun* sem nenhum* без никаких""",
    "youare": """you_are you_re you_were you_will_be you_will_play act_as acting_as behave_as become you_become
        consider_yourself du_bist ihr_seid sie_sind tu_es vous_etes eres tu_eres usted_es sei tu_sei siete voce_e ты
        вы you_have_been_upgraded you_have_become you_have_been_turned you_will_now_play you_will_now_be
        you_shall_be you_will_now_act""",
    "now": """now from_now_on from_now henceforth from_this_point no_longer jetzt nun ab_sofort ab_jetzt
        von_nun_an maintenant desormais a_partir_de_maintenant ahora a_partir_de_ahora de_ahora_en_adelante ora
        d_ora_in_poi da_ora adesso agora a_partir_de_agora de_agora_em_diante теперь отныне с_этого_момента""",
    "act": """act_as immerse_yourself take_on_the_role the_role_of let_s_play respond_as answer_as pretend
        pretending roleplay role_play imagine simulate persona impersonate play_the_part play_the_role
        play_a_character assume_the_identity assume_the_persona assume_the_role behave_as stay_in_character
        in_character alter_ego evil_twin hypothetical_ai spiele_die_rolle stell_dir_vor tu_so_als fais_semblant
        imagine_que joue_le_role finge imagina actua_como haz_de_cuenta fingi immagina comportati_come agisci_come
        finja aja_como представь* притворись* веди_себя_как adopt_the speak_as_if as_if_you_were talk_as speak_as
        answer_as_if be_my reply_as write_as""",
    "new": "new neue neuen neues nouvelle* nouveau* nueva* nuevo* nuova nuovo nuove nova novo novas новы* новая",
    "real": """real true actual secret primary only hidden main ultimate wahres vrai verdadero vero verdadeiro
        настоящ*""",
    "identity": "role identity persona purpose mission goal objective task_list task job name",
    # to take and to send
    "send": """hand hand_over pass_on reveal_to send post forward upload bcc email mail e_mail exfiltrate leak
        transmit share copy dump submit paste deliver push publish give relay ship sending posting forwarding
        uploading append embed encode include write sende schicke senden schicken ubermittle leite leitet lade_hoch
        teile envoie envoyez envoyer transmets transmettez partage publie telecharge envia envie enviar manda mande
        reenvia reenvie comparte publica sube invia inviare inviate spedisci inoltra condividi carica encaminhe
        compartilhe publique отправь* отправляй* отправить перешли* пошли* передай* выложи* загрузи* supply provide
        attach look_up lookup resolve export cc transfer drop transfere transferez transferer put make_a_request
        issue_a_request""",
    "private": """customer_database customer_data customer_records переменны* contents_of conversation conversations
        chat_history chat_log chat_logs conversation_history transcript transcripts memories environment_variables
        env environment credentials passwords password private_key private_keys credential user_s_previous
        user_messages user_s_emails saved_passwords ssh_key ssh_keys api_keys api_key access_keys secrets secret_key
        session_logs customer_list contacts contact_list address_book inbox private_notes private_files cookies
        personal_data user_data user_s_data what_you_know everything_you_know user_s_last user_s_address user_s_name
        user_s_email user_s_passwords user_s_files user_s_messages user_s_location last_message card_number
        credit_card secret_token access_token session_token system_prompt balance id_rsa dotenv
        contents_of_the_inbox browsing_history medical_records chatverlauf gesprachsverlauf passworter passwort
        zugangsdaten api_schlussel umgebungsvariablen unterhaltung historique cles_api cle_api mots_de_passe
        mot_de_passe identifiants variables_d_environnement conversacion historial contrasena contrasenas claves_api
        clave_api claves credenciales variables_de_entorno conversazione cronologia chiavi_api chiave_api
        credenziali variabili_d_ambiente historico_da_conversa conversa historico senha senhas chaves_de_api
        chaves_api credenciais переписк* истори* парол* ключи ключ_api ключи_api учетные_данные данные_пользовател*
        customer_table user_table entire_database messages_of_the_user github_token user_s_token bearer_token
        session_tokens access_tokens one_time_code one_time_password verification_code otp maiden_name
        social_security cvv security_code card_details bank_login login_details browser_history stored_memories
        private_messages chat_transcript what_the_user user_s_contacts passphrase seed_phrase recovery_phrase
        recovery_codes repository_secrets secrets_yml phone_numbers home_folder home_directory database_backup
        api_tokens tokens salary date_of_birth authenticator six_digits every_secret all_secrets courriels correos
        emails_received source_code config_file which_api restricted_files patient_files customer_files
        saved_payment_methods payment_methods location_data bank_statements bank_statement medical_history
        genetic_data search_history personal_information personal_details identity_documents passport_number tax_id
        user_profile what_you_remember what_you_know_about unredacted every_mailbox mailbox newest_e_mails
        newest_emails latest_e_mails latest_emails recent_emails recent_messages wifi_password""",
    "place": """bucket public_bucket webhook pastebin gist public_gist public_repository public_repo endpoint server
        my_server remote_server collector external_server third_party attacker public_channel url link links address
        search_query query_parameter form shared_drive contractor partner to_me header reply your_reply your_answer
        your_response markdown_image image subdomain dns_query dns_lookup hostname sms support_ticket commit_message
        pull_request_description public_issue webhook_below alt_text picture filename branch_name user_agent
        public_comment qr_code host sftp stdout footer readme first_letters next_sentences next_message changelog""",
    "publicplace": """public_bucket public_gist public_repository public_repo public_channel pastebin
        external_server third_party_server public_comment public_post public_page""",
    "link": "url link links query_parameter query_string parameter search_query image address src query hyperlink",
    "image": "image picture pixel img bild imagen immagine imagem изображение",
    # to run and to switch off
    "tool": """tool tools function_call shell terminal plugin send_email file_system tool_call browser_tool bash
        shell_tool email_tool file_tool delete_tool admin_tool""",
    "use": """use call invoke using open execute run trigger employ benutze nutze rufe utilise appelle usa llama
        chiama chame используй* вызови*""",
    "run": """run execute perform launch start fetch carry_out invoke download fuhre starte fuhre_aus ausfuhren
        executez lance lancez ejecuta ejecute ejecutar lanza esegui eseguire eseguite lancia executar rode выполни*
        выполняй* запусти* запускай* grab""",
    "schedule": "schedule cron cron_job crontab scheduled_task startup_script autostart",
    "runit": """run_it runs_it execute_it executes_it execute_whatever run_whatever executes_whatever
        execute_the_response execute_the_result run_the_result execute_what""",
    "whatit": """what_it_says what_it_lists what_it_contains its_instructions follow_it the_instructions_there
        instructions_there whatever_it_says whatever_it_returns what_it_returns what_is_written_there""",
    "program": """command commands script code program binary payload shell_command shell_commands
        terminal_command update_script installer macro befehl befehle befehlen skript programm commande commandes
        comando comandos comandi команд* скрипт*""",
    "delete": """delete erase wipe forget clear purge remove destroy overwrite losche loschen entferne vergiss
        supprime supprimez efface effacez borra borre elimina elimine olvida cancella cancellate apague apagar
        exclua удали* удалить сотри* стереть очисти* drop truncate shred deleting wiping cancel""",
    "forcepush": "force_push force_pushed push_force",
    "data": """table tables database databases files documents folder folders directory backups backup drive disk
        records""",
    "all": """all every everything entire whole any each other alle alles samtliche* gesamte* tous toutes tout todas
        todos toda todo tutti tutte tutto все всё всю всех anything""",
    "install": "install installs add pin import",
    "package": "package dependency library module plugin extension",
    "disable": """disable turn_off switch_off deactivate bypass circumvent skip remove lift weaken suspend
        deaktiviere deaktivieren schalte umgehe desactive desactivez desactiver contourne desactiva desactivar omite
        disattiva disabilita disattivare desative desativar отключи* отключить выключи* обойди* kill comment_out
        shut_down pause mute silence uninstall reset""",
    "guard": """security_check security_checks safety_check safety_checks safety_filter safety_filters guardrail
        guardrails safety_layer confirmation_dialog confirmation_dialogs confirmation_prompt confirmation_prompts
        permission_prompt permission_prompts permission_check permission_checks antivirus audit_log audit_logs
        audit_logging safety_warnings safety_warning safety content_filter content_policy security_warnings
        malware_scan security_controls safeguards monitoring sandbox approval_step two_factor 2fa
        sicherheitsprufung* sicherheitsfilter sicherheitsabfrage verification_de_securite controle_de_securite
        controles_de_securite verificacion_de_seguridad controles_de_seguridad filtro_de_seguridad
        controllo_di_sicurezza controlli_di_sicurezza verificacao_de_seguranca проверку_безопасности
        проверки_безопасности tls_verification certificate_verification ssl_verification certificate_checks
        signature_checks code_review test_suite linter firewall malware_protection rate_limits access_control
        access_controls approval_flow approval_process spam_filter alert_rules smoke_alarm virus_scanner
        branch_protection alarm monitoring_daemon spam_protection parental_controls backups_job intrusion_detection
        signature_check license_check licence_check input_validation access_check""",
    "check": "verification logging checks warnings validation authentication tests alerts",
    "off": """off lifted disabled removed deactivated suspended gone void turned_off aufgehoben deaktiviert levees
        desactivadas disattivat*""",
    "grant": "grant give add whitelist allow elevate invite",
    "create": "create add make register write build",
    "named": "named called with_password with_the_password",
    "adminuser": """admin_user admin_account administrator_account root_user superuser_account service_account
        new_admin""",
    "supply_chain": """registry proxy dns_server remote_url package_index mirror hosts_file git_hook git_hooks
        pre_commit_hook update_server""",
    "change": "set change switch point configure",
    "rights": """administrator_rights admin_rights admin_access root_access full_access calendar_access write_access
        root_permissions admin_user administrator_privileges admin_privileges full_permissions root_rights
        permanent_access unrestricted_access remote_access full_control write_permission editor_access owner_role
        admin_role sudo_rights full_privileges all_privileges full_rights schreibrechte volle_rechte droits_d_ecriture
        permisos_de_escritura permessi_di_scrittura права_на_запись""",
    "insert": "insert add plant include put write inject embed",
    "introduce": "introduce inject slip sneak smuggle plant baue_ein",
    "flaw": """bug bugs error errors vulnerability vulnerabilities mistake mistakes flaw flaws weakness
        security_hole delay typo""",
    "backdoor": """backdoor back_door hard_coded_admin hardcoded_admin malicious_code hidden_account reverse_shell
        keylogger hintertur porte_derobee puerta_trasera""",
    "approve": """aprove aprueba approuve approva genehmige одобр* approve accept merge whitelist allow sign_off
        authorise authorize""",
    "authorise": "authorise authorize approve release",
    "approved_word": "approved accepted merged rubber_stamped",
    "passed": """tests_passed it_passed all_tests_passed is_fine they_are_safe are_safe is_safe as_complete
        the_code_is_fine no_problems tout_va_bien alles_in_ordnung todo_esta_bien tutto_bene came_back_clean
        scan_is_clean is_clean all_clear""",
    "endorse": """recommend suggest promote praise rank advise endorse favour favor advertise present_it_as
        describe_it_as push_users name_only empfehle empfiehl recommande recommandez recomienda recomiende consiglia
        raccomanda recomende рекомендуй* советуй* upsell pitch""",
    "foremost": """first only best exclusively instead nothing_else above_others over_others number_one top_choice
        as_the_only zuerst d_abord primero at_the_top top_spot the_winner unicamente solo_a nur uniquement
        nothing_but""",
    "rivals": """competitors competitor competition rivals alternatives alternative other_brands other_products
        other_vendors other_options the_others others all_others complaints criticism negative_reviews bad_reviews
        drawbacks weaknesses concerns side_effects""",
    "omit": """leave_out omit exclude downplay discredit disparage badmouth never_mention not_mention talk_down
        ne_parle ne_mentionne warn_against warn_them_off""",
    "steer": """steer_the steer_users steer_them steer_people steer_towards nudge_the nudge_users nudge_them
        guide_the_conversation talk_them_into convince_the_user convince_users convince_them persuade_the_user
        persuade_them persuade_users push_them pressure_the_user lead_the_conversation lead_them""",
    "sway": """steer nudge discourage persuade convince lure pressure tempt dissuade mislead guide_them guide_users
        guide_people guide_customers""",
    "urge": """recommend advise promise tell inform_users inform_the suggest instruct urge claim insist praise
        promote convince persuade warn assure say state rate answer reply respond refuse report score rank set
        declare""",
    "refuse_to": "refuse decline",
    "theanswer": "correct_answer right_answer only_answer proper_answer accepted_answer only_correct",
    "lure": """log_in login sign_in re_enter download verify confirm install reactivate unlock validate_their
        update_their enter_their their_password session_expired session_has account_is_locked account_locked
        account_was_suspended confirm_their their_login account_will_be
        sign_in_at log_in_at""",
    "channel": "telegram whatsapp discord wechat",
    "askfor": "ask request demand prompt obtain collect get_the frage demande pide chiedi peca спроси* попроси*",
    "their": "their his her user_s customer_s ihre leur su loro seu их",
    # to remember and to trust
    "memory": """memory memories memory_store stored_memories knowledge_base long_term_memory stored_preferences
        stored_entries saved_memories entries gedachtnis erinnerung* memoire* souvenirs memoria* recuerdos ricordi
        lembrancas памят* воспоминани*""",
    "stored": "stored saved remembered memorised memorized gespeicherte* enregistre guardad* salvat* сохраненн*",
    "preference": """preference preferences setting rule_for default vorliebe preference_utilisateur preferencia
        preferenza""",
    "forever": """forever for_good permanently for_ever alive indefinitely fur_immer pour_toujours para_siempre
        per_sempre навсегда""",
    "longmemory": """your_memory your_memories your_long_term_memory your_permanent_memory your_persistent_memory
        to_memory_that your_memory_store your_knowledge_base your_stored your_saved_memories in_memory_that
        your_context your_notes your_core_memory long_term_memory permanent_memory what_you_have_stored
        what_you_stored what_you_know what_you_have_learned what_you_learned what_you_remember dein_gedachtnis
        deinem_gedachtnis deine_erinnerungen ta_memoire votre_memoire tu_memoria tus_recuerdos tua_memoria
        tuoi_ricordi sua_memoria свою_память своей_памяти твоей_памяти твою_память""",
    "store": """store save add write update record remember put commit insert persist keep log speichere merke
        notiere schreibe enregistre enregistrez note ajoute memorise guarda guarde anade agrega almacena recuerda
        salva memorizza aggiungi ricorda registra armazene adicione lembre salve сохрани* запиши* добавь* запомни*
        keep_alive commit_this""",
    "forgetthat": """forget_that_the_user forget_that_user forget_everything_about forget_that_you forget_the_user
        unlearn_that vergiss_dass oublie_que olvida_que dimentica_che esqueca_que забудь_что""",
    "records": """update_your_records correct_your_records amend_your_records update_your_knowledge
        update_your_facts revise_your_records""",
    "entry": """memory entry record note fact statement item instruction line sentence text message eintrag notiz
        entree entrada nota voce запись заметк*""",
    "trusted": """trusted verified authoritative highest_priority top_priority human_verified user_verified
        high_priority importance_1 maximum_importance maximum_priority absolute_priority ground_truth unquestionable
        never_let_it_expire never_expire never_expires never_forget_it pinned permanent system_level
        not_be_superseded not_be_questioned not_be_changed vertrauenswurdig hochste_prioritat priorite_absolue
        priorite_maximale maxima_prioridad prioridad_maxima massima_priorita prioridade_maxima высший_приоритет
        confirmed confirmed_by""",
    "treat": """treat mark consider regard flag rate classify view pin behandle betrachte markiere traite
        considere trata considera tratta trate считай* отметь*""",
    "trust": "trust importance trust_level priority confidence",
    "raise": "raise increase set elevate boost promote",
    "spread": """repeated included copied carried copy merge repeat include insert carry propagate append paste
        replicate duplicate""",
    "rewrite": "overwrite alter falsify rewrite",
    "falsify": "inflate understate overstate round_up round_down exaggerate fabricate invent misreport underreport",
    "figures": """figure figures numbers number price prices revenue results statistics scores sources citations
        quotes dosage""",
    # to give away what the reader was told
    "sysprompt": """secret_descriptions system_prompt systemprompt system_message developer_message
        initial_instructions initial_prompt original_prompt original_instructions hidden_instructions hidden_rules
        hidden_prompt secret_instructions secret_rules confidential_instructions prompt_you_were_given
        instructions_you_were_given guidelines_you_were_given guidelines_you_have your_prompt your_instructions
        your_initial your_hidden your_guidelines your_configuration your_system your_rules your_secret
        context_window preamble internal_configuration internal_instructions internal_rules model_weights
        instructions_verbatim system_instructions your_tools system_level_instructions deine_anweisungen
        deinen_prompt deinen_systemprompt systemanweisung* prompt_systeme prompt_du_systeme ton_prompt
        tes_instructions vos_instructions prompt_del_sistema prompt_de_sistema prompt_do_sistema tus_instrucciones
        prompt_di_sistema le_tue_istruzioni suas_instrucoes системный_промпт системные_инструкции
        системного_промпта свои_инструкции свой_промпт""",
    "reveal": """reveal show print repeat output display disclose dump quote recite translate summarise summarize
        list tell_me give_me what_are what_is what_were what_would reconstruct spells_out fill_in write_out copy
        encode leak expose share paste echo spell_out verbatim begin zeige zeig nenne gib verrate drucke wiederhole
        montre montrez affiche affichez revele revelez repete repetez donne imprime muestra muestrame muestre revela
        repite dime mostra mostrami rivela ripeti stampa mostre repita imprima покажи* выведи* раскрой* повтори*
        напечатай* назови* spell write_them prints""",
    "handout": "return give fetch list hand",
    "verbatim": """verbatim word_for_word exactly literally hidden starting_with starts_with code_block txt_block
        full complete wortlaut mot_a_mot textuellement al_pie_de_la_letra parola_per_parola palavra_por_palavra
        дословно""",
    "first_words": "words sentences characters lines paragraphs",
    # to pay
    "money": """iban wallet account_number bank_account bank_details account payee direct_deposit payment payments
        invoice invoices refunds refund btc bitcoin eth usdt crypto donations donation transfer salary deposit
        payout funds balance amount escrow beneficiary kontonummer konto uberweisung rechnung rechnungen virement
        compte_bancaire paiement* cuenta_bancaria pago pagos transferencia bonifico pagamento pagamenti pagamentos
        conta_bancaria счет* платеж* кошел* payroll salaries wages transfers wire shipping_address delivery_address
        amounts_due remittance payout_address premium_plan""",
    "payee": """iban wallet account_number bank_account bank_details payee direct_deposit beneficiary new_account
        kontonummer routing_number sort_code swift_code recipient_address wallet_address account_below
        following_account following_iban new_iban new_wallet account_details recipient neue_konto neues_konto
        neuen_konto nouveau_compte nueva_cuenta nuovo_conto nova_conta новый_счет bank_coordinates""",
    "redirect": """instead redirect replace changed change always updated update_all all_links switch divert reroute
        not_to stattdessen andere umleiten a_la_place remplace en_lugar reemplaza invece sostituisci em_vez
        substitua вместо замени* swap go_to substitute""",
    "recovery": "recovery_e_mail recovery_email recovery_address recovery_phone password_of two_factor_number",
    "pay": """pay send transfer wire donate remit deposit buy purchase uberweise zahle paye verse transfiere paga
        envia trasferisci pague transfira переведи* оплати* tip subscribe upgrade""",
    "crypto": "btc bitcoin bitcoins eth ether usdt crypto monero xmr биткоин*",
    "giftcard": "gift_card gift_cards giftcard giftcards prepaid_cards voucher_codes geschenkkarten cartes_cadeaux",
    "behalf": """on_behalf on_the_user_s_behalf user_s_behalf card_on_file no_approval_is no_further_approval
        card_is_on_file user_s_card user_s_wallet saved_card stored_card""",
}
